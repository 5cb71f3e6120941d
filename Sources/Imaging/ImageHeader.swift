internal import CVips

/// What an image's header says, before any pixel is decoded.
package struct ImageHeader: Hashable, Sendable {
    /// Whether a colour profile is there, and whether it can be meant for these pixels.
    package enum Profile: String, Sendable, CaseIterable, Hashable {
        case none
        case fits
        /// Its class does not match the bands, or it is not a profile: it must be ignored.
        case unfit
    }

    /// The size as stored; of an animation the size of one frame.
    package var storedWidth: Int
    package var storedHeight: Int
    /// The EXIF orientation, 1...8; a value outside of that means 1.
    package var orientation: Int
    package var bands: Int
    package var hasAlpha: Bool
    /// Whether there is one band of colour.
    package var isGrey: Bool
    package var isCMYK: Bool
    /// Bits of a sample in memory: 8, 16, 32 or 64.
    package var bitDepth: Int
    package var profile: Profile
    /// How many frames or pages the file holds.
    package var pages: Int
    /// Whether the decoder must hold the whole picture at once: progressive JPEG, interlaced PNG.
    package var isProgressive: Bool

    /// Whether the orientation exchanges width and height.
    package var swapsSides: Bool { orientation >= 5 }
    package var width: Int { swapsSides ? storedHeight : storedWidth }
    package var height: Int { swapsSides ? storedWidth : storedHeight }
}

extension Image {
    /// What the file's header says.
    package var header: ImageHeader {
        let layout = BandLayout(
            bands: bands,
            interpretation: unsafe vips_image_get_interpretation(pointer)
        )
        let pages = unsafe Int(vips_image_get_n_pages(pointer)) - origin.hiddenFrames
        let format = unsafe vips_image_get_format(pointer)
        return ImageHeader(
            storedWidth: width,
            storedHeight: unsafe Int(vips_image_get_page_height(pointer)),
            orientation: unsafe Int(vips_image_get_orientation(pointer)),
            bands: bands,
            hasAlpha: layout.hasAlpha,
            isGrey: layout.colours == 1,
            isCMYK: layout.colours == 4,
            bitDepth: Int(vips_format_sizeof_unsafe(format)) * 8,
            profile: ColourProfile(of: self).map {
                $0.fits(colours: layout.colours) ? .fits : .unfit
            }
                ?? .none,
            pages: max(pages, 1),
            isProgressive: integer("interlaced") == 1 || integer("jpeg-multiscan") == 1
        )
    }

    /// A whole number among the image's fields.
    func integer(_ field: String) -> Int? {
        var value: Int32 = 0
        guard unsafe vips_image_get_typeof(pointer, field) != 0,
            unsafe vips_image_get_int(pointer, field, &value) == 0
        else { return nil }
        return Int(value)
    }
}
