import CSystem
import Glibc
import Synchronization

/// A program that this process has started and talks to over a socket.
///
/// It is killed and waited for with the last reference to it.
package final class ChildProcess: Sendable {
    /// The process's number.
    package let identifier: Int32
    /// This process's end of the socket whose other end is the child's descriptor 3.
    package let socket: MessageSocket
    /// What the kernel would take for the child's peak where the child stays below it.
    private let inheritedPeak: Int
    private let end = Mutex<ChildEnd?>(nil)

    /// Starts a program in a process group of its own.
    ///
    /// It has the error stream of this process, /dev/null as input and output, the socket as
    /// descriptor 3, and nothing else open. SIGINT, SIGTERM and SIGHUP are held back from it until
    /// it says what it does with them; see `ParentDeath.ignoreStops()`.
    ///
    /// - Parameters:
    ///   - program: its path.
    ///   - name: what it is called by; its path if not given.
    ///   - arguments: those after its name.
    /// - Throws: where it cannot be started: `notFound`, `notPermitted`, `tooManyOpenFiles`...
    package init(
        program: String,
        name: String? = nil,
        arguments: [String]
    ) throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        let failed = unsafe csystem_socket_pair(&ends)
        guard failed == 0 else {
            throw SystemError(errno: failed, cannot: "make a socket for it", program)
        }
        // Both ends close when a program is started; the child gets a copy of its own that does not.
        let started = ChildStarter.start(program, name: name ?? program, arguments, end: ends[1])
        close(ends[1])
        guard started.failure == 0 else {
            close(ends[0])
            throw SystemError(errno: started.failure, cannot: "start it", program)
        }
        identifier = started.identifier
        socket = MessageSocket(adopting: ends[0], peer: "process \(started.identifier)")
        inheritedPeak = ProcessFacts.used().peakResidentBytes
    }

    deinit {
        kill()
        _ = wait()
    }

    /// The memory that it has now; `nil` where /proc is not mounted or it has ended.
    package var residentBytes: Int? {
        end.withLock { end in
            guard end == nil,
                let bytes = try? FileReader.contents(of: "/proc/\(identifier)/statm", limit: 4096)
            else { return nil }
            let fields = bytes.split(separator: UInt8(ascii: " "))
            guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)),
                pages > 0
            else { return nil }
            return pages * sysconf(Int32(_SC_PAGESIZE))
        }
    }

    /// Ends it, and what it has started in its group, at once.
    ///
    /// Nothing happens where it has ended already.
    package func kill() {
        end.withLock { end in
            // Once it has been waited for, its number may be another process's.
            if end == nil { _ = Glibc.kill(-identifier, SIGKILL) }
        }
    }

    /// Waits for its end, however often it is asked.
    package func wait() -> ChildEnd {
        while true {
            // It is left as it is, so that `kill` on another thread does not wait for this one.
            var information = unsafe siginfo_t()
            let waited = unsafe waitid(
                P_PID,
                id_t(identifier),
                &information,
                WEXITED | WNOWAIT
            )
            if waited != 0 && errno == EINTR { continue }
            if let end = end.withLock({ $0 ?? collect(into: &$0) }) { return end }
        }
    }

    private func collect(into end: inout ChildEnd?) -> ChildEnd? {
        var status: Int32 = 0
        var usage = rusage()
        let collected = unsafe wait4(identifier, &status, WNOHANG, &usage)
        if collected == 0 || (collected < 0 && errno == EINTR) { return nil }
        precondition(collected == identifier, "somebody else has waited for the child")
        let peak = usage.ru_maxrss * 1024
        let signal = status & 0x7F
        end = ChildEnd(
            cause: signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal),
            peakResidentBytes: peak > inheritedPeak ? peak : nil
        )
        return end
    }
}
