/// What a cache has done so far, and what it holds.
public struct CacheStatistics: Sendable, Hashable {
    /// Requests answered by the very picture.
    public internal(set) var hits = 0
    /// Requests answered by a larger picture of the same source.
    public internal(set) var reuses = 0
    /// Requests that nothing answered.
    public internal(set) var misses = 0
    /// Loads that were begun.
    public internal(set) var loads = 0
    /// Requests that waited for a load which another had begun.
    public internal(set) var merges = 0
    /// Loads that threw.
    public internal(set) var failures = 0
    /// Pictures that were taken in.
    public internal(set) var insertions = 0
    /// Pictures that left to make room.
    public internal(set) var evictions = 0
    /// Pictures that were not taken in, because one alone is beyond the limit.
    public internal(set) var refusals = 0
    /// The pictures that are held.
    public internal(set) var count = 0
    /// What they cost.
    public internal(set) var cost = 0

    /// Of all requests, how many were answered from memory: 0 to 1.
    public var hitRate: Double {
        let asked = hits + reuses + misses
        return asked == 0 ? 0 : Double(hits + reuses) / Double(asked)
    }
}
