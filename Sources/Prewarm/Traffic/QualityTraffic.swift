package import GearboxURL

/// How often each quality was asked for.
///
/// The waste of a ladder is, summed over the requests, the quality they are served at less the one
/// they asked for.
package struct QualityTraffic: Sendable {
    /// The requests by quality, from 0, which nobody asks for, to 100.
    package private(set) var hits = [Int](repeating: 0, count: 101)

    package init() {}

    /// Counts requests of a quality from 1 to 100.
    package mutating func add(_ quality: Int, hits: Int) {
        precondition(QualityLadder.range.contains(quality), "a quality is from 1 to 100")
        self.hits[quality] += hits
    }

    package func waste(on ladder: QualityLadder) -> Int {
        QualityLadder.range.reduce(0) { $0 + (ladder.gear(for: $1) - $1) * hits[$1] }
    }

    /// The ladder of so many gears that wastes the least, among those whose last gear is 100, as a
    /// pipeline wants it.
    ///
    /// - Returns: fewer gears where fewer qualities were asked for.
    package func bestLadder(count: Int, defaultQuality: Int) -> QualityLadder {
        let qualities = QualityLadder.range.filter { hits[$0] > 0 || $0 == 100 }
        let places = LadderSearch.best(
            count: count,
            candidates: qualities.count,
            waste: { place in
                qualities[...place].map { (qualities[place] - $0) * hits[$0] }
            },
            rest: { $0 == qualities.count - 1 ? 0 : nil }
        )
        return QualityLadder(gears: places.map { qualities[$0] }, defaultQuality: defaultQuality)
    }
}
