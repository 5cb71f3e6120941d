package import GearboxURL
internal import Imaging
package import Store

/// What a client shows of a stored picture: scaled and cut as a recipe says.
///
/// The pixels come from the resampler that variants are made with, so that a picture made by reuse
/// looks like the variant that it stands in for.
package struct ShownPicture {
    private let pixels: Pixels

    /// Decodes a stored picture and does a recipe.
    ///
    /// - Parameters:
    ///   - file: the stored picture's path; of an animation the first frame is shown.
    ///   - format: its true format.
    ///   - scale: what it is scaled to; `nil`: not at all.
    ///   - crop: what is cut from that; `nil`: nothing.
    ///   - flattens: whether a transparent picture is drawn on white.
    /// - Throws: where the picture cannot be decoded.
    package init(
        of file: String,
        format: FileFormat,
        scale: Size?,
        crop: Rectangle?,
        flattens: Bool
    ) throws(RenderError) {
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
            pixels = flattens ? try shown.flattened(on: RenderSettings().background) : shown
        } catch {
            throw RenderError(error, original: file)
        }
    }

    /// The bytes of a file: without loss where the format can, else with as little as it can.
    ///
    /// - Parameters:
    ///   - format: the format to write.
    ///   - name: what the file will be called, for errors: it is that file that cannot be made.
    /// - Returns: the bytes.
    /// - Throws: where the format does not hold the picture.
    package func bytes(as format: OutputFormat, named name: String) throws(RenderError) -> [UInt8] {
        let encode = RenderPlan.Encode(
            format: format,
            quality: nil,
            isInterlaced: false,
            variants: []
        )
        do throws(ImagingError) {
            return try pixels.encoded(as: encode, settings: RenderSettings())
        } catch {
            let size = "\(pixels.image.width)x\(pixels.image.height)"
            let detail = error.detail.isEmpty ? "" : " (\(error.detail))"
            let limit = format.largestSide.map { ", which holds no side above \($0)" } ?? ""
            throw RenderError(
                code: .encodeFailed,
                subject: name,
                message: "the picture of \(size) cannot be written as \(format.rawValue)\(limit)"
                    + "\(detail); name a file that ends in png"
            )
        }
    }
}

extension OutputFormat {
    /// The longest side that a file of the format can have; `nil`: longer than any picture here.
    fileprivate var largestSide: Int? {
        switch self {
        case .webp: 16_383
        case .avif: 16_384
        case .jpg, .gif: 65_535
        case .png: nil
        }
    }
}
