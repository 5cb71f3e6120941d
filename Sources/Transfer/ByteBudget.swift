/// What all transfers together may receive: at most a tenth of a second's worth is saved up.
///
/// Bytes are counted when they have come, so the budget may be overdrawn; nothing starts until it
/// is even again. That bounds many small bodies; each transfer's share bounds the large ones.
package struct ByteBudget {
    package let bytesPerSecond: Int
    /// What may be saved up.
    private let most: Double
    private var available: Double
    private var counted: ContinuousClock.Instant

    package init(bytesPerSecond: Int, now: ContinuousClock.Instant) {
        precondition(bytesPerSecond > 0, "no byte could ever be received")
        self.bytesPerSecond = bytesPerSecond
        most = Double(bytesPerSecond) / 10
        available = most
        counted = now
    }

    package mutating func spend(_ bytes: Int) { available -= Double(bytes) }

    /// How long nothing may start; zero when something may.
    package mutating func wait(now: ContinuousClock.Instant) -> Duration {
        let rate = Double(bytesPerSecond)
        available = min(most, available + counted.duration(to: now) / .seconds(1) * rate)
        counted = now
        return available > 0 ? .zero : .seconds((1 - available) / rate)
    }

    /// What one of several transfers may receive in a second.
    package func share(of transfers: Int) -> Int { max(1, bytesPerSecond / max(1, transfers)) }
}
