import CSystem
import Glibc

/// The signals of a process that has done what cannot be done.
package enum CrashSignals {
    /// Has them end this process at once, in place of what Swift's runtime would do.
    ///
    /// That starts a program that looks into this process: where no program may be started, it only
    /// delays the end, and one that was sent from outside would be lost.
    package static func endAtOnce() {
        for signal in [SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGSYS, SIGTRAP, SIGQUIT] {
            csystem_handle_signal(signal, SIG_DFL)
        }
    }
}
