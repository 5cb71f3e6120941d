import GearboxClient

/// The rules of `PictureCache` for pictures that are numbers, in plain arrays: slow and simple.
struct ModelCache {
    private let limits: CacheLimits
    /// The next to leave first.
    private var newcomers: [(picture: Int, cost: Int)] = []
    private var proven: [(picture: Int, cost: Int)] = []
    private var ghosts: [Int] = []

    init(limits: CacheLimits) { self.limits = limits }

    var count: Int { newcomers.count + proven.count }
    var cost: Int { (newcomers + proven).map(\.cost).reduce(0, +) }

    mutating func use(_ picture: Int) -> Bool {
        guard let found = (newcomers + proven).first(where: { $0.picture == picture }) else {
            return false
        }
        remove(picture)
        proven.append(found)
        return true
    }

    mutating func insert(_ picture: Int, cost: Int) {
        remove(picture)
        guard cost <= limits.cost else { return }
        if ghosts.contains(picture) {
            ghosts.removeAll { $0 == picture }
            proven.append((picture, cost))
        } else {
            newcomers.append((picture, cost))
        }
        while self.cost > limits.cost {
            let newcomersCost = newcomers.map(\.cost).reduce(0, +)
            if newcomersCost > limits.newcomersCost || proven.isEmpty {
                if limits.ghosts > 0 {
                    ghosts.removeAll { $0 == newcomers[0].picture }
                    ghosts.append(newcomers[0].picture)
                    let limit = max(count, 16)
                    ghosts.removeFirst(max(0, ghosts.count - limit))
                }
                newcomers.removeFirst()
            } else {
                proven.removeFirst()
            }
        }
    }

    mutating func remove(_ picture: Int) {
        newcomers.removeAll { $0.picture == picture }
        proven.removeAll { $0.picture == picture }
    }

    mutating func trim(to limit: Int) {
        while cost > limit {
            if newcomers.isEmpty { proven.removeFirst() } else { newcomers.removeFirst() }
        }
    }
}
