import CSystem
import Glibc

/// What this process, its environment and its machine are.
package struct ProcessFacts: Hashable, Sendable {
    package var userTime: Duration
    package var systemTime: Duration
    package var peakResidentBytes: Int

    /// What this process has used so far.
    package static func used() -> ProcessFacts {
        var facts = ProcessFacts()
        // getrusage also counts what the program before the last exec had: a shell, a test runner.
        if let peak = statusBytes("VmHWM") { facts.peakResidentBytes = peak }
        return facts
    }

    private init() {
        var usage = rusage()
        unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        userTime = Self.duration(usage.ru_utime)
        systemTime = Self.duration(usage.ru_stime)
        peakResidentBytes = usage.ru_maxrss * 1024
    }

    /// What the kernel says of this process in a line like `VmHWM:   1234 kB`; `nil` where /proc is
    /// not mounted.
    static func statusBytes(_ name: String) -> Int? {
        guard let bytes = try? FileReader.contents(of: "/proc/self/status", limit: 64 * 1024)
        else { return nil }
        for line in bytes.split(separator: 0x0A) where line.starts(with: "\(name):".utf8) {
            let digits = line.filter { (0x30...0x39).contains($0) }
            return Int(String(decoding: digits, as: UTF8.self)).map { $0 * 1024 }
        }
        return nil
    }

    private static func duration(_ time: timeval) -> Duration {
        .seconds(Int64(time.tv_sec)) + .microseconds(Int64(time.tv_usec))
    }

    package static var identifier: Int32 { getpid() }

    package static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&name, name.count - 1) == 0 else { return "unknown host" }
        return String(
            decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
            as: UTF8.self
        )
    }

    /// How many cores this process may use: its affinity, which a container may narrow.
    package static var usableCores: Int { max(1, Int(csystem_usable_cores())) }

    /// The path of the running program; `nil` where /proc is not mounted.
    package static var executablePath: String? { try? Files.resolved("/proc/self/exe") }

    package static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// Raises the number of files that may be open to what the system allows this process.
    ///
    /// - Returns: how many may be open now.
    @discardableResult
    package static func raiseOpenFileLimit() -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return 1024
        }
        var raised = limit
        raised.rlim_cur = min(limit.rlim_max, 65536)
        guard raised.rlim_cur > limit.rlim_cur,
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0
        else { return Int(clamping: limit.rlim_cur) }
        return Int(clamping: raised.rlim_cur)
    }
}
