import CSystem
import Glibc
import Synchronization

/// SIGINT, SIGTERM and, where nobody has it ignored, SIGHUP: the first asks the run to finish what it
/// has begun, the second ends the process at once.
package enum Interruption {
    /// The status of a process that was interrupted.
    package static let exitStatus: Int32 = 130

    private static let observers = Mutex<Observers>(Observers())

    /// Takes the signals over and ignores broken pipes.
    ///
    /// Called once, early in `main`.
    package static func install() {
        ignoreBrokenPipes()
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return }
        for end in ends { csystem_close_on_exec(end) }
        signalCount.store(0, ordering: .sequentiallyConsistent)
        wakeDescriptor.store(ends[1], ordering: .sequentiallyConsistent)
        let reading = ends[0]
        startDetachedThread(name: "interruption") {
            var byte: UInt8 = 0
            while unsafe read(reading, &byte, 1) != 1 { if errno != EINTR { return } }
            tellObservers()
        }
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // `nohup` has a run outlive its terminal.
            if signal == SIGHUP && csystem_ignores_signal(signal) != 0 { continue }
            csystem_handle_signal(signal) { _ in Interruption.received() }
        }
    }

    /// Makes a write to a reader that has gone away, or beyond the largest size that a file may
    /// have, an error instead of the process's end.
    package static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Whether the run was asked to stop.
    package static var isRequested: Bool {
        signalCount.load(ordering: .sequentiallyConsistent) > 0
    }

    /// Has a closure called on a thread of its own when the run is asked to stop; at once where it
    /// was already.
    package static func onRequest(_ observer: @escaping @Sendable () -> Void) {
        let isLate = observers.withLock { observers in
            if !observers.areTold { observers.closures.append(observer) }
            return observers.areTold
        }
        if isLate { observer() }
    }

    /// Runs inside a signal handler: only what is safe there.
    private static func received() {
        let before = signalCount.add(1, ordering: .sequentiallyConsistent).oldValue
        if before > 0 { _exit(exitStatus) }
        let saved = errno
        var byte: UInt8 = 1
        unsafe write(wakeDescriptor.load(ordering: .sequentiallyConsistent), &byte, 1)
        errno = saved
    }

    private static func tellObservers() {
        let closures = observers.withLock { observers in
            observers.areTold = true
            defer { observers.closures = [] }
            return observers.closures
        }
        for closure in closures { closure() }
    }

    private struct Observers {
        var areTold = false
        var closures: [@Sendable () -> Void] = []
    }
}

private let signalCount = Atomic<Int>(0)
private let wakeDescriptor = Atomic<Int32>(-1)
