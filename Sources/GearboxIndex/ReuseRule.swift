package import GearboxURL

/// Which variant of a source may stand in for a missing one: design.md section 4.
package struct ReuseRule: Sendable {
    /// Whether the pipeline processes pictures, so that the unprocessed original may not stand in.
    package var hasSteps: Bool
    /// The key of the unprocessed original.
    package var originalKey: String
    package var source: SourceRecord
    /// The formats that the client can decode; `nil`: all.
    package var accepted: Set<String>?

    package init(
        source: SourceRecord,
        originalKey: String,
        hasSteps: Bool,
        accepted: Set<String>? = nil
    ) {
        self.source = source
        self.originalKey = originalKey
        self.hasSteps = hasSteps
        self.accepted = accepted
    }

    /// The best stand-in of a request among the variants of its source, with the recipe.
    ///
    /// - Parameters:
    ///   - request: what is asked for, after gears.
    ///   - variants: the rows of the source, in any order.
    /// - Returns: the variant with the fewest pixels, then the highest quality, then the first key;
    ///   `nil` where none may stand in.
    package func standIn(
        for request: Directives,
        among variants: [VariantRecord]
    ) -> (variant: VariantRecord, recipe: Recipe)? {
        best(for: request, among: variants).map { (variants[$0.offset], $0.recipe) }
    }

    /// As `standIn`, by the variant's place among the rows.
    func best(
        for request: Directives,
        among variants: [VariantRecord]
    ) -> (offset: Int, recipe: Recipe)? {
        guard let sourceSize = source.size else { return nil }
        if request.keepsAnimation && source.animated { return nil }
        var best: (offset: Int, recipe: Recipe)?
        let wanted = Wanted(request, of: source, sized: sourceSize)
        for offset in variants.indices {
            guard let recipe = recipe(from: variants[offset], for: wanted) else { continue }
            if let best, !Self.isBetter(variants[offset], than: variants[best.offset]) { continue }
            best = (offset, recipe)
        }
        return best
    }

    /// What a request comes down to for its source.
    private struct Wanted {
        let request: Directives
        let format: String
        /// T and how it is cut.
        let placement: Placement
        /// Z: the size that covers the box.
        let covering: Size

        init(_ request: Directives, of source: SourceRecord, sized size: Size) {
            self.request = request
            format =
                request.format?.rawValue
                ?? OutputFormat.standard(forSource: source.format, isAnimated: source.animated)
                .rawValue
            placement = Geometry.placement(
                source: size,
                mode: request.mode,
                box: request.box,
                enlarge: request.enlarge,
                axis: request.axis,
                sideLimit: nil
            )
            covering =
                Geometry.placement(
                    source: size,
                    mode: request.mode == nil ? nil : .z,
                    box: request.box,
                    enlarge: request.enlarge,
                    sideLimit: nil
                ).scaled
        }
    }

    private func recipe(from candidate: VariantRecord, for wanted: Wanted) -> Recipe? {
        guard let size = candidate.size, !candidate.animated else { return nil }
        guard Self.quality(of: candidate) >= wanted.request.quality else { return nil }
        if let accepted, !accepted.contains(candidate.format) { return nil }
        if source.alpha && candidate.format == "jpg" && wanted.format != "jpg" { return nil }
        if hasSteps && candidate.key == originalKey { return nil }

        if candidate.fullSize && !wanted.request.enlarge {
            return Recipe(from: size, to: wanted.placement)
        }
        switch (wanted.request.mode, candidate.mode) {
        case (.x, .x), (.x, .z), (.z, .x), (.z, .z):
            guard size.covers(wanted.placement.size) else { return nil }
            return Recipe(from: size, to: wanted.placement)
        case (.y, .x), (.y, .z):
            guard size.covers(wanted.covering) else { return nil }
            return Recipe(from: size, to: wanted.placement)
        case (.y, .y):
            let target = wanted.placement.size
            let skew = abs(target.height * size.width - target.width * size.height)
            guard candidate.extra == wanted.request.extra, size.covers(target),
                skew <= size.longerSide
            else { return nil }
            return Recipe(from: size, to: Placement(scaled: target))
        default:
            return nil
        }
    }

    /// PNG is lossless whatever its quality gear.
    private static func quality(of variant: VariantRecord) -> Int {
        variant.format == "png" ? 100 : variant.quality
    }

    private static func isBetter(_ a: VariantRecord, than b: VariantRecord) -> Bool {
        let pixels = (a.size?.pixels ?? 0, b.size?.pixels ?? 0)
        if pixels.0 != pixels.1 { return pixels.0 < pixels.1 }
        let qualities = (quality(of: a), quality(of: b))
        if qualities.0 != qualities.1 { return qualities.0 > qualities.1 }
        return a.key.utf8.lexicographicallyPrecedes(b.key.utf8)
    }
}

extension Size {
    /// Whether this picture has at least the other's pixels on both sides, one pixel of slack.
    func covers(_ other: Size) -> Bool {
        width >= other.width - 1 && height >= other.height - 1
    }
}
