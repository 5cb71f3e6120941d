internal import GearboxURL
internal import Imaging

/// A picture in memory, and where the whole source lies in it.
final class Pixels {
    let image: Image
    let extent: PictureExtent

    init(image: consuming Image, extent: PictureExtent) {
        self.image = image
        self.extent = extent
    }

    /// Where a source lies in its decoded picture.
    ///
    /// - Parameters:
    ///   - width: the decoded picture's width, after it was turned upright.
    ///   - height: its height.
    ///   - source: the source's size after orientation.
    ///   - shrink: how much smaller the decoder made it.
    ///   - orientation: how it was turned; what does not divide evenly was at the stored right
    ///     and bottom edges and is now where the turn has put it.
    /// - Returns: the extent; not the whole picture where the shrink leaves a rest.
    static func extent(
        width: Int,
        height: Int,
        of source: Size,
        shrink: Int,
        orientation: Int
    ) -> PictureExtent {
        guard shrink > 1 else { return PictureExtent(width: width, height: height) }
        let across = AxisExtent(length: Double(source.width) / Double(shrink))
        let down = AxisExtent(length: Double(source.height) / Double(shrink))
        let turnsAcross = [2, 3, 6, 7].contains(orientation)
        let turnsDown = [3, 4, 7, 8].contains(orientation)
        return PictureExtent(
            horizontal: turnsAcross ? across.flipped(count: width) : across,
            vertical: turnsDown ? down.flipped(count: height) : down
        )
    }

    /// A raster of this picture, in memory; the picture itself where that is what is wanted.
    func cut(_ placement: Placement) throws(ImagingError) -> Pixels {
        let isWanted =
            extent == PictureExtent(placement)
            && Size(width: image.width, height: image.height) == placement.size
        guard !isWanted else { return self }
        let cut = try image.resampled(
            extent: extent,
            width: placement.scaled.width,
            height: placement.scaled.height,
            window: Window(placement)
        )
        precondition(
            cut.width == placement.size.width && cut.height == placement.size.height,
            "a raster has the size that geometry gives it"
        )
        return Pixels(image: cut, extent: PictureExtent(placement))
    }

    /// The picture after its steps, in memory; itself where there are none.
    func processed(by steps: [Step]) throws(ImagingError) -> Pixels {
        var pixels = self
        for step in steps {
            // In memory after each: a blur asks for its neighbours' pixels again and again.
            let processed = try step.applied(to: pixels.image).inMemory()
            pixels = Pixels(image: processed, extent: extent)
        }
        return pixels
    }

    /// The file of one encode.
    func encoded(
        as encode: RenderPlan.Encode,
        settings: RenderSettings
    ) throws(ImagingError) -> [UInt8] {
        let encoding = Encoding(encode, effort: settings.effort)
        let opaque = encode.format == .jpg ? try flattened(on: settings.background) : self
        return try opaque.image.encoded(as: encoding)
    }

    /// The picture drawn on a colour; itself where it has no alpha.
    func flattened(on background: RenderSettings.Colour) throws(ImagingError) -> Pixels {
        guard image.hasAlpha else { return self }
        let flat = try image.flattened(
            red: background.red,
            green: background.green,
            blue: background.blue
        )
        return Pixels(image: flat, extent: extent)
    }
}

extension Window {
    fileprivate init(_ placement: Placement) {
        self.init(
            x: placement.crop?.x ?? 0,
            y: placement.crop?.y ?? 0,
            width: placement.size.width,
            height: placement.size.height
        )
    }
}

extension PictureExtent {
    /// Where the source lies in the raster of a placement.
    init(_ placement: Placement) {
        self.init(
            horizontal: AxisExtent(
                origin: -Double(placement.crop?.x ?? 0),
                length: Double(placement.scaled.width)
            ),
            vertical: AxisExtent(
                origin: -Double(placement.crop?.y ?? 0),
                length: Double(placement.scaled.height)
            )
        )
    }
}

extension Encoding {
    fileprivate init(_ encode: RenderPlan.Encode, effort: RenderSettings.Effort) {
        let quality = encode.quality ?? 100
        self =
            switch encode.format {
            case .jpg: .jpeg(quality: quality, progressive: encode.isInterlaced)
            case .png: .png(interlaced: encode.isInterlaced)
            case .webp: .webp(quality: quality, effort: effort.webp)
            case .gif: .gif(interlaced: encode.isInterlaced)
            case .avif: .avif(quality: quality, effort: effort.avif)
            }
    }
}
