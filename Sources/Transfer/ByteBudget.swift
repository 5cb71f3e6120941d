/// What all transfers together may receive: at most a tenth of a second's worth is saved up.
///
/// Bytes are counted when they have come, so the budget may be overdrawn; nothing starts and nothing
/// is read until it is even again. libcurl's own limit is one of each transfer: it lets the first
/// seconds of every one pass, and knows nothing of the others.
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

    /// How long nothing may start or be read; zero when something may.
    package mutating func wait(now: ContinuousClock.Instant) -> Duration {
        let rate = Double(bytesPerSecond)
        available = min(most, available + counted.duration(to: now) / .seconds(1) * rate)
        counted = now
        return available > 0 ? .zero : .seconds((1 - available) / rate)
    }

    /// How many transfers share a speed.
    ///
    /// libcurl reads up to a hundred times its buffer, of a kilobyte at least, before it looks at the
    /// others: more transfers than these would overdraw the budget by so much that who is connecting
    /// meanwhile would give up.
    package static func transfers(ofBytesPerSecond rate: Int, atMost limit: Int) -> Int {
        min(limit, max(2, rate / (32 * 1024)))
    }
}
