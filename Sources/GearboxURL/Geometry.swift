/// The exact sizes of design.md section 3, in integers only, so that every end computes the same.
package enum Geometry {
    /// The longest side that a variant is enlarged to in modes x and z.
    package static let enlargeLimit = 4096
    /// The longest side of any variant: WebP holds no more.
    package static let sideLimit = 16383

    /// The placement of a variant.
    ///
    /// - Parameters:
    ///   - source: the source's size in pixels after orientation, both sides at least 1.
    ///   - mode: `nil` for the whole source.
    ///   - box: the box in pixels; a side of 0 is one that the other side decides, as mode x does,
    ///     the only one that such a box exists in.
    ///   - enlarge: whether a source smaller than its box may grow.
    ///   - axis: where mode y cuts.
    ///   - sideLimit: the cap on the longest side; `nil` for none.
    /// - Returns: what the whole picture is scaled to, and what is cut from that.
    package static func placement(
        source: Size,
        mode: Mode?,
        box: Size,
        enlarge: Bool = false,
        axis: Axis = .center,
        sideLimit: Int? = Geometry.sideLimit
    ) -> Placement {
        precondition(
            source.width > 0 && source.height > 0,
            "a source has at least one pixel on each side"
        )
        guard let mode, !box.isZero else {
            return Placement(scaled: capped(source, by: .one, sideLimit: sideLimit))
        }
        let isWhole = box.width > 0 && box.height > 0
        switch isWhole ? mode : .x {
        case .x, .z:
            let horizontal = box.width > 0 ? Ratio(box.width, source.width) : nil
            let vertical = box.height > 0 ? Ratio(box.height, source.height) : nil
            var scale = (mode == .x) ? least(horizontal, vertical) : greatest(horizontal, vertical)
            let limit = enlarge ? max(.one, Ratio(enlargeLimit, source.longerSide)) : .one
            scale = min(scale, limit)
            return Placement(scaled: capped(source, by: scale, sideLimit: sideLimit))
        case .y:
            return filling(source: source, box: box, enlarge: enlarge, axis: axis)
        }
    }

    private static func filling(source: Size, box: Size, enlarge: Bool, axis: Axis) -> Placement {
        var box = box
        let covers = source.width >= box.width && source.height >= box.height
        if !covers && !enlarge {
            let shrink = min(Ratio(source.width, box.width), Ratio(source.height, box.height))
            box = Size(
                width: shrink.scaling(box.width),
                height: shrink.scaling(box.height)
            )
        }
        let scale = max(Ratio(box.width, source.width), Ratio(box.height, source.height))
        let scaled = Size(
            width: scale.scaling(source.width),
            height: scale.scaling(source.height)
        )
        guard scaled != box else { return Placement(scaled: scaled) }
        let crop = Rectangle(
            x: offset(room: scaled.width - box.width, tenths: axis.horizontal),
            y: offset(room: scaled.height - box.height, tenths: axis.vertical),
            size: box
        )
        return Placement(scaled: scaled, crop: crop)
    }

    private static func capped(_ source: Size, by scale: Ratio, sideLimit: Int?) -> Size {
        var scale = scale
        if let sideLimit { scale = min(scale, Ratio(sideLimit, source.longerSide)) }
        return Size(width: scale.scaling(source.width), height: scale.scaling(source.height))
    }

    /// `floor(room * tenths / 10 + 1/2)` in integers.
    private static func offset(room: Int, tenths: Int) -> Int { (room * tenths + 5) / 10 }

    private static func least(_ a: Ratio?, _ b: Ratio?) -> Ratio {
        guard let a, let b else { return a ?? b ?? .one }
        return min(a, b)
    }

    private static func greatest(_ a: Ratio?, _ b: Ratio?) -> Ratio {
        guard let a, let b else { return a ?? b ?? .one }
        return max(a, b)
    }
}
