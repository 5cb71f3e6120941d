import CSystem
import Glibc

/// How a child process came to its end.
package struct ChildEnd: Hashable, Sendable, CustomStringConvertible {
    package enum Cause: Hashable, Sendable {
        case status(Int32)
        case signal(Int32)
    }

    package var cause: Cause
    /// The most memory that it had at a time.
    ///
    /// `nil` where the kernel does not know: until it has grown larger than this process was when
    /// it was started, its figure is this process's.
    package var peakResidentBytes: Int?

    /// SIGSEGV for 11; `nil` where it was no signal.
    package var signalName: String? {
        guard case .signal(let number) = cause else { return nil }
        guard let name = unsafe csystem_signal_name(number) else { return "signal \(number)" }
        return unsafe "SIG" + String(cString: name)
    }

    /// Whether the process itself did what cannot be done, and was not ended by someone else.
    package var isCrash: Bool {
        guard case .signal(let number) = cause else { return false }
        return [SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGSYS, SIGTRAP].contains(number)
    }

    /// `ended by SIGSEGV`, `ended with status 3`.
    package var description: String {
        switch cause {
        case .status(let status): "ended with status \(status)"
        case .signal: "ended by \(signalName ?? "a signal")"
        }
    }
}
