internal import GearboxURL
internal import Imaging
internal import Store

/// The carrying out of one plan.
struct RenderWork {
    let plan: RenderPlan
    let original: String
    let loader: Loader
    let settings: RenderSettings
    let store: Store

    /// Decodes, makes each raster, encodes and stages.
    ///
    /// - Throws: `ImagingError` about the original, or a `RenderError`.
    func carriedOut() throws -> RenderedSource {
        let deadline = settings.limits.seconds.map { Deadline(seconds: $0) }
        var result = RenderedSource(facts: facts, failures: plan.failures)
        if plan.checksAllFrames {
            let frames: Image.Frames = facts.isAnimated ? .all : .first
            let canShrink = loader == .jpeg && min(facts.size.width, facts.size.height) >= 8
            try open(frames, shrink: canShrink ? 8 : 1, deadline: deadline).readThrough()
        }
        if !plan.rasters.isEmpty { try makeRasters(deadline: deadline, into: &result) }
        try storeOriginal(into: &result)
        return result
    }

    private func makeRasters(deadline: Deadline?, into result: inout RenderedSource) throws {
        let roll = plan.decode.allFrames ? try decodedRoll(deadline: deadline) : nil
        let still = try roll?.frame(0) ?? decodedStill(deadline: deadline)
        var made: [Pixels?] = []
        for (index, raster) in plan.rasters.enumerated() {
            let pixels: Pixels
            if raster.isAnimated, let roll {
                pixels = try roll.cut(raster.placement, then: settings.steps)
                try encode(pixels, of: raster, into: &result)
            } else {
                let parent = raster.parent.flatMap { made[$0] } ?? still
                pixels = try parent.cut(raster.placement)
                // What others are cut from stays as it is.
                try encode(pixels.processed(by: settings.steps), of: raster, into: &result)
            }
            let isParent = plan.rasters[(index + 1)...].contains { $0.parent == index }
            made.append(isParent ? pixels : nil)
        }
    }

    /// The decoded picture, upright and in standard colour.
    private func decodedStill(deadline: Deadline?) throws(ImagingError) -> Pixels {
        let opened = try open(.first, shrink: plan.decode.shrink, deadline: deadline)
        let orientation = opened.header.orientation
        var image = try opened.standardColour()
        if let size = plan.decode.size {
            let stored = orientation >= 5 ? Size(width: size.height, height: size.width) : size
            image = try image.scaled(width: stored.width, height: stored.height)
        }
        image = orientation == 1 ? try image.inMemory() : try image.upright()
        let extent = Pixels.extent(
            width: image.width,
            height: image.height,
            of: facts.size,
            shrink: plan.decode.shrink,
            orientation: orientation
        )
        return Pixels(image: image, extent: extent)
    }

    private func decodedRoll(deadline: Deadline?) throws(ImagingError) -> Roll {
        let opened = try open(.all, shrink: 1, deadline: deadline)
        let header = opened.header
        return Roll(image: try opened.standardColour().inMemory(), header: header)
    }

    private var facts: SourceFacts { plan.facts }

    private func open(
        _ frames: Image.Frames,
        shrink: Int,
        deadline: Deadline?
    ) throws(ImagingError) -> Image {
        try Image.open(
            original,
            loader: loader,
            frames: frames,
            shrink: shrink,
            acceptsTruncated: settings.truncated == .accept,
            deadline: deadline
        )
    }

    private func encode(
        _ pixels: Pixels,
        of raster: RenderPlan.Raster,
        into result: inout RenderedSource
    ) throws {
        for encode in raster.encodes {
            let bytes: [UInt8]
            do {
                bytes = try pixels.encoded(as: encode, settings: settings)
            } catch {
                guard error.code != .timedOut else { throw error }
                let failure = RenderError(error, original: original)
                result.failures += encode.variants.map {
                    RenderFailure(key: $0.key, error: failure)
                }
                continue
            }
            let format = FileFormat(encode.format)
            let file = try stage(bytes, format: format, into: &result)
            for variant in encode.variants {
                result.variants.append(
                    RenderedVariant(
                        key: variant.key,
                        file: file,
                        format: format,
                        quality: variant.quality,
                        size: raster.placement.size,
                        isAnimated: raster.isAnimated,
                        isFullSize: variant.isFullSize,
                        bytes: bytes.count
                    )
                )
            }
        }
    }

    private func storeOriginal(into result: inout RenderedSource) throws {
        guard !plan.originals.isEmpty else { return }
        let bytes = try ImageFile.bytes(of: original)
        let file = try stage(bytes, format: facts.format, into: &result)
        for key in plan.originals {
            result.variants.append(
                RenderedVariant(
                    key: key,
                    file: file,
                    format: facts.format,
                    quality: 100,
                    size: facts.size,
                    isAnimated: facts.isAnimated,
                    isFullSize: !facts.isAnimated,
                    bytes: bytes.count
                )
            )
        }
    }

    /// - Returns: the name that the file will have in the store.
    private func stage(
        _ bytes: [UInt8],
        format: FileFormat,
        into result: inout RenderedSource
    ) throws(RenderError) -> String {
        do {
            let file = try store.stage(bytes.span, fileExtension: format.fileExtension)
            result.staged.append(file)
            return store.name(of: file)
        } catch {
            throw RenderError(code: .storeFailed, subject: original, message: "\(error)")
        }
    }
}
