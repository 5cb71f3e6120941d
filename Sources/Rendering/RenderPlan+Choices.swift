internal import GearboxURL
internal import Store

/// A raster before it is known what it is cut from.
struct Draft: Hashable {
    let placement: Placement
    let isAnimated: Bool

    /// Larger stills first, so that a parent comes before its children; a total order, so that
    /// equal jobs have equal plans.
    func precedes(_ other: Draft) -> Bool { rank.lexicographicallyPrecedes(other.rank) }

    private var rank: [Int] {
        let crop = placement.crop ?? Rectangle(x: -1, y: -1, size: .zero)
        return [
            isAnimated ? 1 : 0, -placement.scaled.pixels, -placement.scaled.width,
            -placement.size.pixels, -placement.size.width, crop.x, crop.y,
        ]
    }
}

extension RenderPlan {
    /// The JPEG decoder's ways to make a picture smaller, the most first, and how many times larger
    /// than every raster the result must still be, per axis.
    ///
    /// Measured, like the room below, on photographs against Lanczos from the full size at all sizes
    /// from 30 to 1024: no median below 49 dB, nothing below 36 dB. With less room a decoder's own
    /// filter shows at sharp edges: 28 dB without any.
    static let decoderShrinks: [(factor: Int, room: Double)] = [(8, 3), (4, 2.5), (2, 1.75)]
    /// How many times larger than a raster the picture is that it is cut from, where that is
    /// neither the source nor a JPEG decoder's work.
    static let room = 1.3
    /// Below this many pixels nothing is won by decoding a smaller picture.
    static let smallPicture = 1_000_000

    /// The least length of a picture that one of a length is cut from.
    static func roomy(_ length: Int) -> Int { Int((room * Double(length)).rounded(.up)) }
}

extension RenderPlan.Decode {
    static func chosen(for drafts: [Draft], facts: SourceFacts) -> RenderPlan.Decode {
        var decode = RenderPlan.Decode()
        decode.allFrames = drafts.contains(where: \.isAnimated)
        guard !decode.allFrames, !drafts.isEmpty, facts.size.pixels >= RenderPlan.smallPicture
        else { return decode }
        let largest = Size(
            width: drafts.map(\.placement.scaled.width).max() ?? 1,
            height: drafts.map(\.placement.scaled.height).max() ?? 1
        )
        if facts.format == .jpeg {
            let fitting = RenderPlan.decoderShrinks.first { factor, room in
                let needed = Double(factor) * room
                return needed * Double(largest.width) <= Double(facts.size.width)
                    && needed * Double(largest.height) <= Double(facts.size.height)
            }
            decode.shrink = fitting?.factor ?? 1
        } else {
            let size = Size(
                width: min(facts.size.width, RenderPlan.roomy(largest.width)),
                height: min(facts.size.height, RenderPlan.roomy(largest.height))
            )
            // Scaling costs a pass; it must save at least a third of the pixels.
            decode.size = size.pixels * 3 <= facts.size.pixels * 2 ? size : nil
        }
        return decode
    }
}

extension [RenderPlan.Raster] {
    /// The raster that a placement is cut from: one of the same scaling, which costs nothing, else the
    /// smallest that stays close to the full size.
    func parent(of child: Placement, facts: SourceFacts) -> Int? {
        let fitting = indices.filter { index in
            !self[index].isAnimated && self[index].placement.covers(child, of: facts.size)
        }
        let equal = fitting.first { self[$0].placement.scaled == child.scaled }
        return equal
            ?? fitting.min { self[$0].placement.size.pixels < self[$1].placement.size.pixels }
    }
}

extension Placement {
    fileprivate func covers(_ child: Placement, of source: Size) -> Bool {
        let window = self.crop ?? Rectangle(x: 0, y: 0, size: scaled)
        let wanted = child.crop ?? Rectangle(x: 0, y: 0, size: child.scaled)
        return Self.covers(
            (scaled.width, window.x, window.size.width),
            (child.scaled.width, wanted.x, wanted.size.width),
            of: source.width
        )
            && Self.covers(
                (scaled.height, window.y, window.size.height),
                (child.scaled.height, wanted.y, wanted.size.height),
                of: source.height
            )
    }

    /// One axis: enough pixels, and the child's window inside of the parent's, in fractions of the
    /// source, with half a pixel of slack for the rounding of the windows.
    private static func covers(
        _ parent: (scaled: Int, offset: Int, length: Int),
        _ child: (scaled: Int, offset: Int, length: Int),
        of source: Int
    ) -> Bool {
        guard parent.scaled <= source else { return false }
        let ratio = Double(parent.scaled) / Double(child.scaled)
        guard
            parent.scaled >= RenderPlan.roomy(child.scaled) || ratio == 1
                || parent.scaled == source
        else { return false }
        let start = Double(child.offset) * ratio
        let end = Double(child.offset + child.length) * ratio
        return start >= Double(parent.offset) - 0.5
            && end <= Double(parent.offset + parent.length) + 0.5
    }
}
