package import GearboxURL

/// Which variants a source shall have, from what URLs ask of it: pure.
package struct VariantPlanner {
    private let variants: Pipeline.Variants
    private let sizes: SizeLadder
    private let qualities: QualityLadder

    package init(variants: Pipeline.Variants, sizes: SizeLadder, qualities: QualityLadder) {
        self.variants = variants
        self.sizes = sizes
        self.qualities = qualities
    }

    init(_ pipeline: Pipeline) {
        self.init(
            variants: pipeline.variants,
            sizes: pipeline.rules.sizes,
            qualities: pipeline.rules.qualities
        )
    }

    /// The variants to make.
    ///
    /// - Parameter requests: what URLs ask of one source, after gears; `nil` for its own bytes.
    /// - Returns: each variant once, in the order of the requests; `nil` for the original's bytes.
    package func wanted(for requests: [Directives?]) -> [Directives?] {
        var seen: Set<Directives?> = []
        var wanted: [Directives?] = []
        for request in requests {
            for variant in expanded(request) where seen.insert(variant).inserted {
                wanted.append(variant)
            }
        }
        return wanted
    }

    private func expanded(_ request: Directives?) -> [Directives?] {
        guard let request else {
            let plain = Directives(quality: qualities.gear(for: nil))
            return [nil] + variants(of: plain, boxes: plainBoxes, modes: listedModes ?? [.x])
        }
        guard let mode = request.mode else {
            return variants(of: request, boxes: [.zero], modes: [])
        }
        return variants(of: request, boxes: boxes(request), modes: listedModes ?? [mode])
    }

    private func variants(of request: Directives, boxes: [Size], modes: [Mode]) -> [Directives] {
        var made: [Directives] = []
        for box in boxes {
            for mode in self.modes(for: box, among: modes) {
                for quality in listedQualities ?? [request.quality] {
                    for format in listedFormats ?? [request.format] {
                        made.append(
                            Directives(
                                mode: mode,
                                box: box,
                                quality: quality,
                                format: format,
                                enlarge: request.enlarge,
                                axis: request.axis,
                                interlace: request.interlace,
                                keepsAnimation: request.keepsAnimation
                            )
                        )
                    }
                }
            }
        }
        return made
    }

    /// A box with a zero side exists in mode x only; no box has no mode.
    private func modes(for box: Size, among modes: [Mode]) -> [Mode?] {
        if box.isZero { return [nil] }
        if box.width == 0 || box.height == 0 { return modes.filter { $0 == .x } }
        return modes
    }

    private func boxes(_ request: Directives) -> [Size] {
        switch variants.sizes {
        case .requested: [request.box]
        case .ladder: squares(sizes.gears)
        case .list(let sides): squares(sides)
        }
    }

    private var plainBoxes: [Size] {
        switch variants.sizes {
        case .requested, .ladder: squares(sizes.gears)
        case .list(let sides): squares(sides)
        }
    }

    private func squares(_ sides: [Int]) -> [Size] {
        sides.map { Size(width: $0, height: $0) }
    }

    private var listedModes: [Mode]? {
        if case .list(let modes) = variants.modes { modes } else { nil }
    }

    private var listedQualities: [Int]? {
        if case .list(let qualities) = variants.qualities { qualities } else { nil }
    }

    private var listedFormats: [OutputFormat?]? {
        if case .list(let formats) = variants.formats { formats } else { nil }
    }
}
