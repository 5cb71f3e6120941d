package import GearboxURL

/// What is done to make all variants of one source: one decode, each raster once, each encode once.
///
/// A pure value: nothing of it needs libvips or the original's pixels.
package struct RenderPlan: Hashable, Sendable {
    /// How the original's pixels are read.
    package struct Decode: Hashable, Sendable {
        /// 1, 2, 4 or 8: how much smaller the JPEG decoder makes the picture.
        package var shrink: Int
        /// What the picture is scaled to while it is read, so that a large one is never held whole;
        /// `nil`: it stays as the decoder gives it.
        package var size: Size?
        /// Whether all frames are read, for an animation that is kept.
        package var allFrames: Bool

        package init(shrink: Int = 1, size: Size? = nil, allFrames: Bool = false) {
            self.shrink = shrink
            self.size = size
            self.allFrames = allFrames
        }
    }

    /// One picture in one size, before it is encoded.
    package struct Raster: Hashable, Sendable {
        package var placement: Placement
        package var isAnimated: Bool
        /// The earlier raster that this one is cut from; `nil`: the decoded picture.
        package var parent: Int?
        package var encodes: [Encode]
    }

    /// One encoded file.
    package struct Encode: Hashable, Sendable {
        package var format: OutputFormat
        /// `nil` where the format knows none: PNG is lossless, GIF has a palette.
        package var quality: Int?
        package var isInterlaced: Bool
        package var variants: [Served]
    }

    /// A wanted variant that an encode serves.
    package struct Served: Hashable, Sendable {
        package var key: String
        package var quality: Int
        package var isFullSize: Bool
    }

    package var facts: SourceFacts
    package var decode: Decode
    /// Parents come before the rasters that are cut from them.
    package var rasters: [Raster]
    /// Keys under which the original's own bytes are stored, once they have been decoded whole.
    package var originals: [String]
    /// What cannot be made of this source.
    package var failures: [RenderFailure]

    /// Whether the original must be read once more, whole, before its own bytes are accepted: where
    /// the rasters need less of it.
    package var checksAllFrames: Bool {
        guard !originals.isEmpty else { return false }
        return rasters.isEmpty || (facts.isAnimated && !decode.allFrames)
    }

    /// Plans the variants of a source.
    package init(facts: SourceFacts, wanted: [WantedVariant], settings: RenderSettings) {
        self.facts = facts
        originals = wanted.filter { $0.directives == nil }.map(\.key)
        failures = []
        var drafts: [Draft: [Encode]] = [:]
        for variant in wanted {
            guard let directives = variant.directives else { continue }
            let output = Output(directives: directives, facts: facts, settings: settings)
            let roll = facts.size.pixels * facts.frames
            if output.isAnimated, roll > settings.limits.pixels {
                let error = RenderError(
                    code: .tooManyPixels,
                    subject: variant.key,
                    message: "the animation has \(roll) pixels in all its frames, "
                        + "more than the limit of \(settings.limits.pixels); raise limits.pixels"
                )
                failures.append(RenderFailure(key: variant.key, error: error))
                continue
            }
            let draft = Draft(
                placement: Geometry.placement(
                    source: facts.size,
                    mode: directives.mode,
                    box: directives.box,
                    enlarge: directives.enlarge,
                    axis: directives.axis
                ),
                isAnimated: output.isAnimated
            )
            let served = Served(
                key: variant.key,
                quality: directives.quality,
                isFullSize: !output.isAnimated && directives.mode != .y
                    && draft.placement == Placement(scaled: facts.size)
            )
            drafts[draft, default: []].add(served, as: output)
        }
        let order = drafts.keys.sorted { $0.precedes($1) }
        decode = Decode.chosen(for: order, facts: facts)
        rasters = []
        for draft in order {
            let raster = Raster(
                placement: draft.placement,
                isAnimated: draft.isAnimated,
                parent: draft.isAnimated ? nil : rasters.parent(of: draft.placement, facts: facts),
                encodes: drafts[draft] ?? []
            )
            rasters.append(raster)
        }
    }
}

extension [RenderPlan.Encode] {
    /// Has a variant served by the encode that makes its file, which may be there already.
    fileprivate mutating func add(_ served: RenderPlan.Served, as output: Output) {
        let quality = output.format == .png || output.format == .gif ? nil : served.quality
        for index in indices
        where self[index].format == output.format && self[index].quality == quality
            && self[index].isInterlaced == output.isInterlaced
        {
            self[index].variants.append(served)
            return
        }
        append(
            RenderPlan.Encode(
                format: output.format,
                quality: quality,
                isInterlaced: output.isInterlaced,
                variants: [served]
            )
        )
    }
}
