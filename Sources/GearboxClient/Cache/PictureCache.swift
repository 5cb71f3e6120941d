internal import GearboxDatabase
internal import GearboxIndex

/// Decoded pictures in memory, as a component that shows images needs them.
///
/// A picture answers its own request, and every other one that it may stand in for by the rule of
/// the relation index: a larger picture of the same source is a hit, with what is to be done to it.
/// Pictures that were asked for again are not pushed out by a burst of pictures that are seen once.
///
/// ```swift
/// let cache = PictureCache<UIImage>(costLimit: 64 << 20)
/// let request = try index.request(for: url)
/// let hit = try await cache.picture(for: request) { try await decode(url) }
/// ```
///
/// What is put in is the picture as it is to be shown: after the transform of an answer. All calls
/// may be made from any thread or task; but for loading, none of them suspends.
public final class PictureCache<Picture: Sendable>: Sendable {
    /// A picture that answers a request.
    public struct Hit: Sendable {
        public let picture: Picture
        /// The size of the picture to show, after `transform`, in pixels.
        public let size: PixelSize
        /// What is to be done to it; `nil`: it is shown as it is.
        public let transform: Resolution.Transform?
        /// Whether it was taken in for another request of the same source.
        public let isReuse: Bool

        init(_ decoded: DecodedPicture<Picture>, recipe: Recipe?) {
            picture = decoded.picture
            size = recipe.map { PixelSize($0.size) } ?? decoded.size
            transform = recipe.flatMap { Resolution.Transform($0) }
            isReuse = recipe != nil
        }
    }

    struct State: Sendable {
        var entries: CacheEntries<Picture>
        var flights: [PictureName: Flight<Picture>] = [:]
        var nextTicket = 0
    }

    let state: Lock<State>

    /// Makes an empty cache.
    ///
    /// - Parameters:
    ///   - costLimit: the most that all pictures cost together: bytes, unless they say otherwise.
    ///   - newcomersShare: how much of that is for pictures that nobody asked for again yet, from
    ///     0 to 1. More helps those who leaf through much and go back a little; less keeps longer
    ///     what is asked for again and again.
    public convenience init(costLimit: Int, newcomersShare: Double = 0.25) {
        // Two names for each picture tell a working set from a burst of three times the room; more
        // of them only make pictures proven that are asked for by chance (bench/cache.bench.sh).
        self.init(limits: CacheLimits(cost: costLimit, newcomersShare: newcomersShare, ghosts: 2))
    }

    package init(limits: CacheLimits) {
        state = Lock(State(entries: CacheEntries(limits: limits)))
    }

    /// The picture of a request, or a larger one of the same source.
    ///
    /// - Returns: `nil` where neither is held.
    public func picture(for request: PictureRequest) -> Hit? {
        state.withLock { $0.picture(for: request) }
    }

    /// Whether the very picture of a request is held; it does not count as used.
    public func holds(_ request: PictureRequest) -> Bool {
        state.withLock { $0.entries.holds(request.name) }
    }

    /// Takes in the picture of a request, in place of one that was held for it.
    ///
    /// - Returns: whether it is held now: not where it alone is beyond the limit.
    @discardableResult
    public func insert(_ decoded: DecodedPicture<Picture>, for request: PictureRequest) -> Bool {
        state.withLock { $0.entries.insert(decoded, for: request) }
    }

    /// Removes all pictures of a request's source; those that are being loaded are not kept.
    public func removeAll(ofSourceOf request: PictureRequest) {
        let source = request.name.source
        state.withLock { state in
            state.entries.removeAll(of: source)
            for name in state.flights.keys where name.source == source {
                state.flights[name]?.isKept = false
            }
        }
    }

    /// Removes every picture; those that are being loaded are not kept.
    public func removeAll() {
        state.withLock { state in
            state.entries.removeAll()
            for name in state.flights.keys { state.flights[name]?.isKept = false }
        }
    }

    /// Lets pictures leave until the rest costs no more than this, newcomers first, then the proven
    /// from the least recently used on: what is to be done on a memory warning.
    public func trim(toCost cost: Int) {
        state.withLock { $0.entries.trim(toCost: cost) }
    }

    /// The most that all pictures cost together.
    public var costLimit: Int { state.withLock { $0.entries.limits.cost } }
    public var statistics: CacheStatistics { state.withLock { $0.entries.statistics } }
    /// For the tests: all that was done so far.
    package var steps: Int { state.withLock { $0.entries.steps } }
}

extension PictureCache.State {
    /// Looks, and counts what comes of it.
    mutating func picture(for request: PictureRequest) -> PictureCache<Picture>.Hit? {
        let hit = entries.picture(for: request)
        switch hit {
        case nil: entries.statistics.misses += 1
        case let hit? where hit.isReuse: entries.statistics.reuses += 1
        default: entries.statistics.hits += 1
        }
        return hit
    }
}
