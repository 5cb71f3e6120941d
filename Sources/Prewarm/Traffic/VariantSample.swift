package import GearboxURL

/// How many distinct variants the traffic asks for under any ladder, in bounded memory.
///
/// It keeps what was asked of each source, before gears, until that is too much; then it goes on
/// with every second source, every fourth and so on, chosen by the hash of its name. So one sample
/// answers for all ladders, also for one that is found only when the traffic was read, and the
/// differences between them are not those of two samples.
package struct VariantSample: Sendable {
    /// A number of distinct variants.
    package struct Estimate: Hashable, Sendable {
        package enum Precision: String, Sendable, Hashable {
            case exact
            /// By a share of the sources.
            case estimated
            /// So few sources ask for so much that not all they ask for was kept.
            case atLeast
        }

        package var count: Int
        package var precision: Precision
    }

    /// A sample of fewer sources than this says little of the others.
    private static let fewSources = 1_000

    private let capacity: Int
    private var wishes: Set<Wish> = []
    /// One in 2 to this of the sources is in the sample.
    private var sourceLevel = 0
    /// One in 2 to this of what they ask for is.
    private var wishLevel = 0

    package init(capacity: Int = 262_144) {
        precondition(capacity > 0, "a sample holds at least one wish")
        self.capacity = capacity
    }

    /// How many sources were kept.
    package var sources: Int { Set(wishes.lazy.map(\.source)).count }

    /// Takes what was asked of a source, before gears.
    ///
    /// - Parameters:
    ///   - asked: what was asked for.
    ///   - source: the key of the source.
    ///   - origin: the name of its origin.
    package mutating func add(_ asked: Directives, of source: String, at origin: String) {
        var hash = StableHash()
        hash.add(origin)
        hash.add(source)
        let wish = Wish(asked, of: hash.value)
        guard isKept(wish), wishes.insert(wish).inserted else { return }
        while wishes.count > capacity {
            if sources >= 2 * Self.fewSources { sourceLevel += 1 } else { wishLevel += 1 }
            wishes = wishes.filter(isKept)
        }
    }

    /// The distinct variants under a pair of ladders.
    package func variants(sizes: SizeLadder, qualities: QualityLadder) -> Estimate {
        let distinct = Set(wishes.lazy.map { $0.onGears(sizes, qualities) })
        return Estimate(
            count: distinct.count << sourceLevel,
            precision: wishLevel > 0 ? .atLeast : sourceLevel > 0 ? .estimated : .exact
        )
    }

    private func isKept(_ wish: Wish) -> Bool {
        wish.source.leadingZeroBitCount >= sourceLevel
            && (wishLevel == 0 || wish.hash.leadingZeroBitCount >= wishLevel)
    }
}
