/// A load under way, and who waits for it.
struct Flight<Picture: Sendable>: Sendable {
    typealias Waiter = CheckedContinuation<PictureCache<Picture>.Hit, any Error>

    /// Tells it from an earlier load of the same picture that nobody waits for any more.
    let ticket: Int
    var waiters: [Int: Waiter]
    /// `nil` until it was started.
    var task: Task<Void, Never>?
    /// Whether the picture goes into the cache.
    var isKept = true
}
