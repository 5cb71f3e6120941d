import CSystem
import Glibc

/// How long a call may still wait.
struct Patience {
    private let end: ContinuousClock.Instant?

    /// - Parameter time: from now on; for ever where it is `nil`.
    init(_ time: Duration?) { end = time.map { ContinuousClock.now + $0 } }

    /// Waits until a descriptor is ready, or a signal comes; `false` when the time is over.
    func wait(for events: Int32, on descriptor: Int32) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        guard let end else {
            unsafe poll(&waiting, 1, -1)
            return true
        }
        let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
        guard left > 0 else { return false }
        // Rounded up: else the last part of a millisecond would be spent asking.
        unsafe poll(&waiting, 1, Int32(min(left.rounded(.up), 86_400_000)))
        return true
    }
}
