internal import Synchronization

/// The time that what was begun has to end when a run is asked to stop.
///
/// Shorter than service managers wait before they kill.
final class Grace: Sendable {
    static let length: Duration = .seconds(30)

    private let end = Mutex<ContinuousClock.Instant?>(nil)

    /// Whether what was begun is not to go on either.
    var isOver: Bool { end.withLock { end in end.map { ContinuousClock.now >= $0 } ?? false } }

    /// Starts when the run is asked to stop.
    func begin(_ length: Duration) { end.withLock { $0 = $0 ?? .now + length } }
}
