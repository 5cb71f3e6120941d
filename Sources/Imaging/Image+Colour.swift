internal import CVips

extension Image {
    /// The picture in standard colour: 8 bits a sample, sRGB or one band of grey, alpha last.
    ///
    /// A profile that fits is applied; one that does not, or that libvips cannot use, is ignored.
    package func standardColour() throws(ImagingError) -> Image {
        var unpacked: UnsafeMutablePointer<VipsImage>?
        let result = unsafe vips_image_decode(pointer, &unpacked)
        return try unsafe derived(
            result == 0 ? unpacked : nil,
            .operationFailed,
            "the samples cannot be unpacked"
        ).standardBands()
    }

    private func standardBands() throws(ImagingError) -> Image {
        let interpretation = unsafe vips_image_get_interpretation(pointer)
        let layout = BandLayout(bands: bands, interpretation: interpretation)
        let colour = try bands(from: 0, count: layout.colours)
            .standardColours(layout, interpretation: interpretation)
        guard layout.hasAlpha else { return colour }
        let alpha = try bands(from: layout.colours, count: 1).standardAlpha(interpretation)
        let joined = try unsafe colour.derived(
            cvips_bandjoin(colour.pointer, alpha.pointer),
            .operationFailed,
            "alpha cannot be joined to the colours"
        )
        return try joined.tagged(
            layout.colours == 1 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB
        )
    }

    /// The picture over a background, without alpha.
    ///
    /// A grey picture stays grey where the background is grey.
    package func flattened(
        red: UInt8,
        green: UInt8,
        blue: UInt8
    ) throws(ImagingError) -> Image {
        guard bands == 2, red != green || green != blue else {
            return try flat(red: red, green: green, blue: blue)
        }
        return try converted(to: VIPS_INTERPRETATION_sRGB).flat(red: red, green: green, blue: blue)
    }

    private func flat(red: UInt8, green: UInt8, blue: UInt8) throws(ImagingError) -> Image {
        try unsafe derived(
            cvips_flatten(pointer, Double(red), Double(green), Double(blue)),
            .operationFailed,
            "alpha cannot be flattened"
        )
    }

    /// Colour bands alone, brought to 8-bit sRGB or grey.
    private func standardColours(
        _ layout: BandLayout,
        interpretation: VipsInterpretation
    ) throws(ImagingError) -> Image {
        let format = unsafe vips_image_get_format(pointer)
        let isCommon = format == VIPS_FORMAT_UCHAR || format == VIPS_FORMAT_USHORT
        if isCommon, let profile = ColourProfile(of: self), profile.fits(colours: layout.colours),
            !profile.isSRGB, let applied = unsafe cvips_icc_to_srgb(pointer, nil)
        {
            let converted = unsafe Image(adopting: applied, origin: origin)
            // A grey profile gives three equal bands.
            guard layout.colours == 1 else { return converted }
            return try converted.bands(from: 1, count: 1).tagged(VIPS_INTERPRETATION_B_W)
        }
        _ = ImagingError.takeText()
        let bare = try withoutProfile()
        switch layout.colours {
        case 1:
            return try bare.eightBit().tagged(VIPS_INTERPRETATION_B_W)
        case 3 where Self.isDirectRGB(interpretation):
            return try bare.eightBit().tagged(VIPS_INTERPRETATION_sRGB)
        case 4 where isCommon:
            // Ink that says nothing of its press is read by the profile that libvips brings.
            return try unsafe bare.derived(
                cvips_icc_to_srgb(bare.pointer, "cmyk"),
                .operationFailed,
                "the inks cannot be converted"
            )
        default:
            return try bare.converted(to: VIPS_INTERPRETATION_sRGB).eightBit()
        }
    }

    /// Whether the bands are red, green and blue with the transfer curve of sRGB.
    private static func isDirectRGB(_ interpretation: VipsInterpretation) -> Bool {
        switch interpretation {
        case VIPS_INTERPRETATION_sRGB, VIPS_INTERPRETATION_RGB, VIPS_INTERPRETATION_RGB16,
            VIPS_INTERPRETATION_MULTIBAND, VIPS_INTERPRETATION_ERROR:
            true
        default: false
        }
    }

    private func standardAlpha(_ interpretation: VipsInterpretation) throws(ImagingError) -> Image {
        guard interpretation == VIPS_INTERPRETATION_scRGB else { return try eightBit() }
        let scaled = try unsafe derived(
            cvips_linear(pointer, 255, 0),
            .operationFailed,
            "alpha cannot be scaled"
        )
        return try scaled.eightBit()
    }

    /// The same with 8 bits a sample: the high byte of 16 and 32 bits, the nearest value of floating
    /// point; of signed numbers what is above zero, which is black.
    func eightBit() throws(ImagingError) -> Image {
        let result: UnsafeMutablePointer<VipsImage>?
        switch unsafe vips_image_get_format(pointer) {
        case VIPS_FORMAT_UCHAR: unsafe result = unsafe cvips_copy(pointer)
        case VIPS_FORMAT_USHORT, VIPS_FORMAT_UINT:
            unsafe result = unsafe cvips_high_byte(pointer)
        case VIPS_FORMAT_CHAR: return try positivePart(below: 0x1p7)
        case VIPS_FORMAT_SHORT: return try positivePart(below: 0x1p15)
        case VIPS_FORMAT_INT: return try positivePart(below: 0x1p31)
        case VIPS_FORMAT_FLOAT, VIPS_FORMAT_DOUBLE:
            let rounded = try unsafe derived(
                cvips_rint(pointer),
                .operationFailed,
                "samples cannot be rounded"
            )
            unsafe result = unsafe cvips_cast(rounded.pointer, VIPS_FORMAT_UCHAR)
        default: unsafe result = unsafe cvips_cast(pointer, VIPS_FORMAT_UCHAR)
        }
        return try unsafe derived(
            result,
            .operationFailed,
            "the samples cannot be brought to 8 bits"
        )
    }

    private func positivePart(below end: Double) throws(ImagingError) -> Image {
        let scaled = try unsafe derived(
            cvips_linear(pointer, 255 / (end - 1), 0),
            .operationFailed,
            "the samples cannot be scaled"
        )
        return try unsafe scaled.derived(
            cvips_cast(scaled.pointer, VIPS_FORMAT_UCHAR),
            .operationFailed,
            "the samples cannot be brought to 8 bits"
        )
    }

    func converted(to space: VipsInterpretation) throws(ImagingError) -> Image {
        try unsafe derived(
            cvips_colourspace(pointer, space),
            .operationFailed,
            "the colours cannot be converted"
        )
    }

    func tagged(_ space: VipsInterpretation) throws(ImagingError) -> Image {
        try unsafe derived(
            cvips_tagged(pointer, space),
            .operationFailed,
            "the image cannot be tagged"
        )
    }

    private func bands(from first: Int, count: Int) throws(ImagingError) -> Image {
        try unsafe derived(
            count == bands
                ? cvips_copy(pointer)
                : cvips_extract_band(pointer, Int32(first), Int32(count)),
            .operationFailed,
            "the bands cannot be separated"
        )
    }

    private func withoutProfile() throws(ImagingError) -> Image {
        let copy = try unsafe derived(
            cvips_copy(pointer),
            .operationFailed,
            "the image cannot be referred to"
        )
        unsafe _ = vips_image_remove(copy.pointer, cvips_icc_field())
        return copy
    }
}
