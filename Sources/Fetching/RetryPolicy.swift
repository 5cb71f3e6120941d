/// When a transfer is tried again.
package struct RetryPolicy: Sendable, Hashable {
    /// How often it is tried, the first time included.
    package var attempts = 3
    /// The wait after the first failure is anything up to this, and doubles.
    package var delay = Duration.milliseconds(500)
    package var longestDelay = Duration.seconds(30)
    /// A host that asks for a longer wait than this is left alone until the next run.
    package var longestRetryAfter = Duration.seconds(60)
    /// So long an answer counts that would most likely be the same; for who keeps it.
    package var permanentAfter = Duration.seconds(7 * 86_400)

    package init() {}

    /// The wait before a try.
    ///
    /// Full jitter: what failed together must not come back together.
    ///
    /// - Parameters:
    ///   - failures: how many tries have failed; at least 1.
    ///   - fraction: a random number in 0..<1.
    /// - Returns: the wait.
    package func wait(failures: Int, fraction: Double) -> Duration {
        let doubled = delay * Double(1 << min(failures - 1, 20))
        return min(doubled, longestDelay) * fraction
    }
}
