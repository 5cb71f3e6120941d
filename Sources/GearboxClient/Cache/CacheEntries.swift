internal import GearboxIndex

/// The pictures of a cache and the order in which they leave: a value that knows no threads.
///
/// A hash leads from a source to a hash of its pictures. Each picture stands in one of two lists:
/// newcomers, which leave in the order they came, and the proven, which were asked for again and of
/// which the least recently used leaves first. Newcomers leave before the proven as long as they
/// have more than their share of the limit; so a burst of pictures that are seen once passes
/// through the newcomers, and the proven stay.
///
/// Both lists lie in one array, linked by places in it. Every operation takes a bounded number of
/// steps, however much is held: but for the look among the pictures of one source.
struct CacheEntries<Picture: Sendable>: Sendable {
    private struct Entry: Sendable {
        var name: PictureName
        var decoded: DecodedPicture<Picture>
        /// What the reuse rule goes by.
        var variant: VariantRecord
        var isProven = false
        var link = EntryLink()
    }

    private struct Source: Sendable {
        var version: String
        var places: [String: Int] = [:]
    }

    let limits: CacheLimits
    var statistics = CacheStatistics()
    /// Every link that was set and every hash that was asked or changed: for the tests.
    private(set) var steps = 0

    private var entries: [Entry?] = []
    /// Places in `entries` that are free.
    private var free: [Int] = []
    private var sources: [SourceName: Source] = [:]
    private var newcomers = EntryQueue()
    private var proven = EntryQueue()
    private var ghosts = Ghosts()

    init(limits: CacheLimits) { self.limits = limits }

    func holds(_ name: PictureName) -> Bool {
        guard let source = sources[name.source] else { return false }
        return source.version == name.version && source.places[name.key] != nil
    }

    /// The very picture, or a larger one of the same source.
    ///
    /// - Returns: the picture and what is to be done to it; it counts as used.
    mutating func picture(for request: PictureRequest) -> PictureCache<Picture>.Hit? {
        let name = request.name
        steps += 1
        guard let source = sources[name.source], source.version == name.version else { return nil }
        steps += 1
        if let place = source.places[name.key], let decoded = entries[place]?.decoded {
            use(place)
            return PictureCache.Hit(decoded, recipe: nil)
        }
        guard let wanted = request.wanted, let indexed = request.indexed else { return nil }
        let rule = ReuseRule(
            source: indexed.record,
            originalKey: name.source.path,
            hasSteps: request.hasSteps
        )
        steps += source.places.count
        let variants = source.places.values.compactMap { entries[$0]?.variant }
        guard let (variant, recipe) = rule.standIn(for: wanted, among: variants),
            let place = source.places[variant.key], let decoded = entries[place]?.decoded
        else { return nil }
        use(place)
        return PictureCache.Hit(decoded, recipe: recipe)
    }

    /// Takes a picture in and lets others leave for it.
    ///
    /// - Returns: whether it is held now: not where it alone is beyond the limit.
    @discardableResult
    mutating func insert(
        _ decoded: DecodedPicture<Picture>,
        for request: PictureRequest
    ) -> Bool {
        precondition(decoded.cost >= 0, "a picture cannot cost less than nothing")
        let name = request.name
        steps += 1
        if let source = sources[name.source] {
            // Pictures of different bytes are never related.
            if source.version != name.version { removeAll(of: name.source) }
            if let place = source.places[name.key] { remove(place) }
        }
        guard decoded.cost <= limits.cost else {
            statistics.refusals += 1
            return false
        }
        let place = freePlace()
        var entry = Entry(
            name: name,
            decoded: decoded,
            variant: VariantRecord(of: decoded.size, for: request)
        )
        steps += 1
        entry.isProven = limits.ghosts > 0 && ghosts.recall(name.hashValue)
        entries[place] = entry
        link(place)
        steps += 1
        sources[name.source, default: Source(version: name.version)].places[name.key] = place
        statistics.insertions += 1
        statistics.count += 1
        statistics.cost += decoded.cost
        makeRoom()
        return true
    }

    /// Lets pictures leave, newcomers first, until the rest costs no more than this.
    mutating func trim(toCost cost: Int) {
        while statistics.cost > cost, let place = newcomers.oldest ?? proven.oldest {
            remove(place)
            statistics.evictions += 1
        }
    }

    /// Removes the pictures of a source.
    mutating func removeAll(of source: SourceName) {
        steps += 1
        for place in sources[source]?.places.values.map({ $0 }) ?? [] { remove(place) }
    }

    mutating func removeAll() {
        entries.removeAll()
        free.removeAll()
        sources.removeAll()
        newcomers = EntryQueue()
        proven = EntryQueue()
        ghosts.removeAll()
        statistics.count = 0
        statistics.cost = 0
    }

    private mutating func makeRoom() {
        while statistics.cost > limits.cost {
            let isOverShare = newcomers.cost > limits.newcomersCost
            let newcomer = isOverShare || proven.oldest == nil ? newcomers.oldest : nil
            guard let place = newcomer ?? proven.oldest, let entry = entries[place] else { return }
            if newcomer != nil && limits.ghosts > 0 {
                steps += 1
                let limit = Int(limits.ghosts * Double(max(statistics.count, 16)))
                ghosts.remember(entry.name.hashValue, limit: limit)
            }
            remove(place)
            statistics.evictions += 1
        }
    }

    /// A newcomer becomes proven; a proven one becomes the most recently used.
    private mutating func use(_ place: Int) {
        unlink(place)
        entries[place]?.isProven = true
        link(place)
    }

    private mutating func remove(_ place: Int) {
        unlink(place)
        guard let entry = entries[place] else { return }
        entries[place] = nil
        free.append(place)
        steps += 1
        let name = entry.name
        sources[name.source]?.places[name.key] = nil
        if sources[name.source]?.places.isEmpty == true { sources[name.source] = nil }
        statistics.count -= 1
        statistics.cost -= entry.decoded.cost
    }

    private mutating func freePlace() -> Int {
        if let place = free.popLast() { return place }
        entries.append(nil)
        return entries.count - 1
    }

    // MARK: - Links

    private mutating func link(_ place: Int) {
        guard let isProven = entries[place]?.isProven, let cost = entries[place]?.decoded.cost
        else { return }
        var queue = isProven ? proven : newcomers
        entries[place]?.link = EntryLink(newer: nil, older: queue.newest)
        if let newest = queue.newest { entries[newest]?.link.newer = place }
        queue.newest = place
        if queue.oldest == nil { queue.oldest = place }
        queue.cost += cost
        put(queue, isProven)
    }

    private mutating func unlink(_ place: Int) {
        guard let isProven = entries[place]?.isProven, let cost = entries[place]?.decoded.cost,
            let link = entries[place]?.link
        else { return }
        var queue = isProven ? proven : newcomers
        if let newer = link.newer { entries[newer]?.link.older = link.older }
        if let older = link.older { entries[older]?.link.newer = link.newer }
        if link.newer == nil { queue.newest = link.older }
        if link.older == nil { queue.oldest = link.newer }
        queue.cost -= cost
        put(queue, isProven)
    }

    private mutating func put(_ queue: EntryQueue, _ isProven: Bool) {
        steps += 1
        if isProven { proven = queue } else { newcomers = queue }
    }
}
