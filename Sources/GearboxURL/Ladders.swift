/// What happens to a size above the top gear.
package enum Overflow: String, Sendable, CaseIterable, Hashable {
    /// The next multiple of 256, at most 4096.
    case step
    /// The size stays as requested.
    case passthrough
    /// The top gear: the one case that rounds down.
    case clamp
}

/// The ladder of sizes that requests are rounded up to.
package struct SizeLadder: Hashable, Sendable {
    /// Longer sides in pixels, ascending, each 1...4096, at least one.
    package let gears: [Int]
    package let overflow: Overflow

    package init(gears: [Int], overflow: Overflow = .step) {
        precondition(!gears.isEmpty, "a size ladder has at least one gear")
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
            ? Size(width: gear, height: shorter == longer ? gear : scaled)
            : Size(width: scaled, height: gear)
    }
}

/// The ladder of qualities that requests are rounded up to.
package struct QualityLadder: Hashable, Sendable {
    /// Qualities, ascending, each 1...100; the last is 100, so that nothing is above the ladder.
    package let gears: [Int]
    /// What a missing quality, or 0, means.
    package let defaultQuality: Int

    package init(gears: [Int], defaultQuality: Int = 75) {
        precondition(!gears.isEmpty, "a quality ladder has at least one gear")
        self.gears = gears.sorted()
        self.defaultQuality = defaultQuality
    }

    package static let standard = QualityLadder(gears: [39, 69, 89, 100])

    /// The gear of a quality; `nil` and 0 mean the default.
    package func gear(for quality: Int?) -> Int {
        let quality = (quality ?? 0) == 0 ? defaultQuality : quality ?? defaultQuality
        for gear in gears where gear >= quality { return gear }
        return gears[gears.count - 1]
    }
}
