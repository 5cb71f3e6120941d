package import GearboxURL
internal import Imaging
package import Store

/// What a client shows of a stored picture: scaled and cut as a recipe says.
///
/// The pixels come from the resampler that variants are made with, so that a picture made by reuse
/// looks like the variant that it stands in for.
package enum ShownPicture {
    /// Does a recipe and encodes the picture.
    ///
    /// - Parameters:
    ///   - file: the stored picture's path.
    ///   - format: its true format.
    ///   - scale: what it is scaled to; `nil`: not at all.
    ///   - crop: what is cut from that; `nil`: nothing.
    ///   - output: the format to write: without loss where it can, else with as little as it can.
    /// - Returns: the bytes of a file; of an animation the first frame.
    /// - Throws: where the picture cannot be decoded, or the format does not hold it.
    package static func bytes(
        of file: String,
        format: FileFormat,
        scale: Size?,
        crop: Rectangle?,
        as output: OutputFormat
    ) throws(RenderError) -> [UInt8] {
        guard let loader = format.loader, !loader.isUntrusted else {
            throw RenderError(
                code: .unsupportedType,
                subject: file,
                message: "a picture of the type \(format.rawValue) is not decoded here; without a "
                    + "transform it can be written as .\(format.fileExtension)"
            )
        }
        do throws(ImagingError) {
            let opened = try Image.open(file, loader: loader)
            let isTurned = opened.header.orientation != 1
            let standard = try opened.standardColour()
            let image = isTurned ? try standard.upright() : try standard.inMemory()
            let size = Size(width: image.width, height: image.height)
            let extent = PictureExtent(width: size.width, height: size.height)
            let picture = Pixels(image: image, extent: extent)
            let shown = try picture.cut(Placement(scaled: scale ?? size, crop: crop))
            let encode = RenderPlan.Encode(
                format: output,
                quality: nil,
                isInterlaced: false,
                variants: []
            )
            return try shown.encoded(as: encode, settings: RenderSettings())
        } catch {
            throw RenderError(error, original: file)
        }
    }
}
