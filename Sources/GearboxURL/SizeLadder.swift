/// The ladder of sizes that requests are rounded up to.
package struct SizeLadder: Hashable, Sendable {
    /// Longer sides in pixels, ascending, each 1...4096, at least one.
    package let gears: [Int]
    package let overflow: Overflow

    /// What a gear may be: a longer side could not be asked for again.
    package static let range = 1...4096

    /// - Parameters:
    ///   - gears: longer sides in pixels in any order, each in `range`, at least one.
    ///   - overflow: what happens to a size above the top gear.
    package init(gears: [Int], overflow: Overflow = .step) {
        precondition(!gears.isEmpty, "a size ladder has at least one gear")
        precondition(gears.allSatisfy(Self.range.contains), "a size gear is from 1 to 4096")
        self.gears = gears.sorted()
        self.overflow = overflow
    }

    package static let standard = SizeLadder(gears: [
        30, 60, 90, 120, 180, 256, 315, 512, 720, 1024,
    ])

    /// The side that the longer side of a request becomes.
    package func gear(for longerSide: Int) -> Int {
        for gear in gears where gear >= longerSide { return gear }
        switch overflow {
        case .step: return max(longerSide, min(4096, (longerSide + 255) / 256 * 256))
        case .passthrough: return longerSide
        case .clamp: return gears[gears.count - 1]
        }
    }

    /// The box that a request's box becomes: the longer side on its gear, the shape kept.
    package func box(for box: Size) -> Size {
        let longer = box.longerSide
        guard longer > 0 else { return box }
        let gear = gear(for: longer)
        let shorter = min(box.width, box.height)
        let scaled = shorter == 0 ? 0 : max(1, shorter * gear / longer)
        return box.width >= box.height
            ? Size(width: gear, height: scaled)
            : Size(width: scaled, height: gear)
    }
}
