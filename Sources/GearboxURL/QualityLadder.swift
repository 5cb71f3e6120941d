/// The ladder of qualities that requests are rounded up to.
package struct QualityLadder: Hashable, Sendable {
    /// Qualities, ascending, each 1...100, at least one.
    package let gears: [Int]
    /// What a missing quality, or 0, means.
    package let defaultQuality: Int

    /// What a gear, and the default, may be.
    package static let range = 1...100

    /// - Parameters:
    ///   - gears: qualities in any order, each in `range`, at least one.
    ///   - defaultQuality: what a missing quality, or 0, means; in `range`.
    package init(gears: [Int], defaultQuality: Int = 75) {
        precondition(!gears.isEmpty, "a quality ladder has at least one gear")
        precondition(gears.allSatisfy(Self.range.contains), "a quality gear is from 1 to 100")
        precondition(Self.range.contains(defaultQuality), "the default quality is from 1 to 100")
        self.gears = gears.sorted()
        self.defaultQuality = defaultQuality
    }

    package static let standard = QualityLadder(gears: [39, 69, 89, 100])

    /// The gear of a quality; `nil` and 0 mean the default.
    ///
    /// Above a ladder that does not end with 100 stands 100, so that no request gets less than
    /// it asks for.
    package func gear(for quality: Int?) -> Int {
        let asked = quality ?? 0
        let quality = asked == 0 ? defaultQuality : asked
        for gear in gears where gear >= quality { return gear }
        return 100
    }
}
