import CSystem
package import Foundation
import Synchronization

/// A program that a test has started; it is killed with the last reference to it.
///
/// Not Foundation's Process: whatever that opens for a program is inherited by others that start at
/// the same moment, so that a pipe is not at its end, and a program's end is not noticed, until
/// those have ended, too; see swift-corelibs-foundation, issue 4795.
package final class StartedProgram: Sendable {
    /// Where one of its standard streams leads.
    package enum Stream: Sendable {
        /// /dev/null.
        case null
        /// The tests' own.
        case inherited
        /// The other end is `input` or `output`.
        case pipe
        /// A path: read from, or written to from its start.
        case file(String)
    }

    package let identifier: Int32
    /// Where its standard input is written, if that is a pipe.
    package let input: FileHandle?
    /// Where its standard output is read, if that is a pipe.
    package let output: FileHandle?
    private let name: String
    private let ended = Mutex<Int32?>(nil)

    /// What is opened for one program must not reach another one.
    private static let starting = Mutex(())

    /// Starts a program, in a process group of its own.
    ///
    /// - Parameters:
    ///   - path: absolute.
    ///   - arguments: its arguments.
    ///   - input: where it reads.
    ///   - output: where it writes.
    ///   - errors: where it complains.
    ///   - environment: added to the tests' own.
    ///   - folder: where it runs; where the tests do if not given.
    /// - Throws: where it cannot be started.
    package init(
        _ path: String,
        _ arguments: [String],
        input: Stream = .null,
        output: Stream = .inherited,
        errors: Stream = .inherited,
        environment: [String: String] = [:],
        in folder: String? = nil
    ) throws {
        // The C library's own way to start in a folder is hidden from Swift.
        let words = (folder.map { ["/usr/bin/env", "-C", $0] } ?? []) + [path] + arguments
        name = words.joined(separator: " ")
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let started = try Self.starting.withLock { _ in
            var actions = unsafe posix_spawn_file_actions_t()
            unsafe posix_spawn_file_actions_init(&actions)
            var attributes = posix_spawnattr_t()
            unsafe posix_spawnattr_init(&attributes)
            defer {
                unsafe posix_spawn_file_actions_destroy(&actions)
                unsafe posix_spawnattr_destroy(&attributes)
            }
            var theirs: [Int32] = []
            defer { for descriptor in theirs { close(descriptor) } }
            var ours: [Int32: FileHandle] = [:]
            for (number, stream) in [input, output, errors].enumerated().map({ (Int32($0), $1) }) {
                let isRead = number == STDIN_FILENO
                let flags = isRead ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC
                switch stream {
                case .inherited: break
                case .null:
                    unsafe posix_spawn_file_actions_addopen(
                        &actions,
                        number,
                        "/dev/null",
                        O_RDWR,
                        0
                    )
                case .file(let path):
                    unsafe posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o644)
                case .pipe:
                    var ends: [Int32] = [-1, -1]
                    guard unsafe pipe(&ends) == 0 else { throw POSIXError(errno) }
                    let (their, our) = isRead ? (ends[0], ends[1]) : (ends[1], ends[0])
                    theirs.append(their)
                    _ = fcntl(our, F_SETFD, FD_CLOEXEC)
                    ours[number] = FileHandle(fileDescriptor: our, closeOnDealloc: true)
                    unsafe posix_spawn_file_actions_adddup2(&actions, their, number)
                }
            }
            unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)
            // The threads of tests hold signals back, with which a server could not be ended.
            var none = sigset_t()
            unsafe sigemptyset(&none)
            unsafe posix_spawnattr_setsigmask(&attributes, &none)
            let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK
            unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
            let executable = words[0]
            var identifier: Int32 = 0
            let failed = unsafe Self.withStrings(words) { words in
                unsafe Self.withStrings(variables.map { "\($0)=\($1)" }) {
                    unsafe posix_spawn(&identifier, executable, &actions, &attributes, words, $0)
                }
            }
            if failed != 0 { throw POSIXError(failed) }
            return (identifier, ours)
        }
        identifier = started.0
        self.input = started.1[STDIN_FILENO]
        self.output = started.1[STDOUT_FILENO]
    }

    deinit {
        // Who reads a pipe ends with it, and ends what it has started itself.
        if let input {
            try? input.close()
            for _ in 0..<2_000 where isRunning { usleep(1_000) }
        }
        signal(SIGKILL)
        _ = waitForEnd()
    }

    package var isRunning: Bool { status == nil }

    /// How it has ended: its status, or a signal's number below 0; `nil` while it runs.
    package var status: Int32? {
        ended.withLock { ended in
            var status: Int32 = 0
            if ended == nil, unsafe waitpid(identifier, &status, WNOHANG) == identifier {
                ended = status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
            }
            return ended
        }
    }

    /// Sends it a signal, unless it has ended.
    package func signal(_ number: Int32) {
        ended.withLock { if $0 == nil { kill(identifier, number) } }
    }

    /// Waits until it has ended; what hangs is killed, so that its test fails and says so where the
    /// suite would wait for ever.
    ///
    /// - Returns: its status, or a signal's number below 0.
    @discardableResult
    package func waitForEnd() -> Int32 {
        wait { false }
        return status ?? 0
    }

    /// Waits until something holds or it has ended; what hangs is killed, see above.
    package func wait(until isReached: () throws -> Bool) rethrows {
        let isFull = ProcessInfo.processInfo.environment["GEARBOX_SOAK"] != nil
        let limit = Duration.seconds(isFull ? 3_600 : 300)
        let start = ContinuousClock.now
        var isKilled = false
        while try isRunning && !isReached() {
            if !isKilled, ContinuousClock.now - start > limit {
                isKilled = true
                FileHandle.standardError.write(Data("killed after \(limit): \(name)\n".utf8))
                signal(SIGKILL)
            }
            usleep(1_000)
        }
    }

    private static func withStrings<Value>(
        _ strings: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
    ) -> Value {
        let copies = unsafe strings.map { unsafe strdup($0) }
        defer { unsafe copies.forEach { unsafe free($0) } }
        return unsafe body(copies + [nil])
    }
}

extension POSIXError {
    fileprivate init(_ number: Int32) { self.init(POSIXErrorCode(rawValue: number) ?? .EINVAL) }
}
