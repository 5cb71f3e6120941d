package import GearboxURL

/// How often each box was asked for: counts alone, at most 4096 by 4096 of them.
///
/// The waste of a ladder is, summed over the requests, the pixels of the box that a request is
/// rounded up to less the pixels of the box it asked for. A box of one side, whose other side the
/// picture decides, counts as the square of that side. What an overflow of `clamp` makes smaller
/// wastes nothing.
package struct SizeTraffic: Sendable {
    /// By the longer side, then by the shorter one; a row is made when its longer side comes.
    private var rows = [[Int]](repeating: [], count: SizeLadder.range.upperBound + 1)
    /// The pixels of all boxes that were asked for.
    package private(set) var pixels = 0

    package init() {}

    /// Counts requests of a box, whose longer side is in `SizeLadder.range`.
    package mutating func add(_ box: Size, hits: Int) {
        let longer = box.longerSide
        precondition(SizeLadder.range.contains(longer), "a box's longer side is from 1 to 4096")
        let asked = min(box.width, box.height)
        let shorter = asked == 0 ? longer : asked
        if rows[longer].isEmpty { rows[longer] = [Int](repeating: 0, count: longer + 1) }
        rows[longer][shorter] += hits
        pixels += longer * shorter * hits
    }

    /// The requests by longer side: at 0 none, at 4096 those of the largest.
    package var hits: [Int] { rows.map { $0.reduce(0, +) } }

    /// The pixels that a ladder wastes.
    package func waste(on ladder: SizeLadder) -> Int {
        var waste = 0
        forEachBox { box, hits in
            waste += max(0, ladder.box(for: box).pixels - box.pixels) * hits
        }
        return waste
    }

    /// The requests that a ladder serves with less than they ask for: a `clamp` does that.
    package func requestsMadeSmaller(by ladder: SizeLadder) -> Int {
        hits.enumerated().reduce(0) { sum, side in
            side.offset > 0 && ladder.gear(for: side.offset) < side.offset
                ? sum + side.element : sum
        }
    }

    /// The ladder of so many gears that wastes the least.
    ///
    /// With an overflow of `step` the sizes above the top gear count as the steps that they become.
    /// `passthrough` and `clamp` would make every size above the top gear free, so there the top
    /// gear is the largest size that was asked for.
    ///
    /// - Returns: fewer gears where fewer sizes were asked for; `nil` where none was.
    package func bestLadder(count: Int, overflow: Overflow) -> SizeLadder? {
        let sides = rows.indices.filter { rows[$0].contains { $0 > 0 } }
        guard !sides.isEmpty else { return nil }
        // Rows are long and mostly empty.
        let shorterSides = sides.map { side in
            rows[side].indices.filter { rows[side][$0] > 0 }.map { UInt16($0) }
        }
        func waste(_ place: Int, gear: Int) -> Int {
            Self.waste(sides[place], shorterSides[place], rows[sides[place]], gear: gear)
        }
        // What the sizes from a place on waste as steps.
        let steps = SizeLadder(gears: [1], overflow: .step)
        var wastedOnSteps = [Int](repeating: 0, count: sides.count + 1)
        for place in sides.indices.reversed() {
            let wasted = waste(place, gear: steps.gear(for: sides[place]))
            wastedOnSteps[place] = wastedOnSteps[place + 1] + wasted
        }
        let places = LadderSearch.best(
            count: count,
            candidates: sides.count,
            waste: { top in (0...top).map { waste($0, gear: sides[top]) } },
            rest: { top in
                overflow == .step || top == sides.count - 1 ? wastedOnSteps[top + 1] : nil
            }
        )
        return SizeLadder(gears: places.map { sides[$0] }, overflow: overflow)
    }

    /// What the boxes of one longer side waste on a gear that is not below it.
    private static func waste(
        _ longer: Int,
        _ shorterSides: [UInt16],
        _ hits: [Int],
        gear: Int
    ) -> Int {
        // `shorter * gear / longer` without a division for each box: with the factor a little above
        // 2^40 * gear / longer it is exact, since sides and gears have twelve bits.
        let factor = gear * ((1 << 40) / longer + 1)
        var waste = 0
        for shorter in shorterSides {
            let shorter = Int(shorter)
            let pixels = ((shorter &* factor) &>> 40) &* gear
            waste &+= (pixels &- shorter &* longer) &* hits[shorter]
        }
        return waste
    }

    private func forEachBox(_ body: (Size, Int) -> Void) {
        for (longer, row) in rows.enumerated() {
            for (shorter, hits) in row.enumerated() where hits > 0 {
                body(Size(width: longer, height: shorter), hits)
            }
        }
    }
}
