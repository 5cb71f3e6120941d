internal import CVips

extension Image {
    /// How much red, green and blue count in the brightness of a coded colour, to CSS.
    private static let brightness = [0.213, 0.715, 0.072]

    /// The picture in one band of grey, with its alpha: its colours without their saturation.
    ///
    /// The image is in standard colour. As the CSS filter `grayscale` and as `adjusted` with no
    /// saturation: libvips' own grey weighs light as 2 : 7 : 1, which is nobody's definition.
    package func grey() throws(ImagingError) -> Image {
        guard bands > 2 else { return try copied() }
        return try band(0, count: 3).inFloatingPoint().recombined(Self.brightness).eightBit()
            .withAlpha(of: self)
    }

    /// The picture made brighter, then richer in contrast, then in colour; 1 changes nothing.
    ///
    /// As the CSS filters `brightness() contrast() saturate()` in this order: each cuts off what
    /// is below 0 or above 255, and nothing is rounded between them. The image is in standard
    /// colour; alpha stays.
    package func adjusted(
        brightness: Double,
        contrast: Double,
        saturation: Double
    ) throws(ImagingError) -> Image {
        let isColoured = bands > 2
        var colours = try band(0, count: isColoured ? 3 : 1)
        if brightness != 1 || contrast != 1 {
            let values = (0..<256).map { level in
                let bright = min(Double(level) * brightness, 255)
                return min(max((bright - 127.5) * contrast + 127.5, 0), 255)
            }
            colours = try unsafe colours.derived(
                cvips_maplut(colours.pointer, values),
                .operationFailed,
                "the colours cannot be adjusted"
            )
        }
        if isColoured && saturation != 1 {
            colours = try colours.inFloatingPoint().recombined(Self.saturating(saturation))
        }
        return try colours.eightBit().withAlpha(of: self)
    }

    /// The matrix of CSS.
    private static func saturating(_ saturation: Double) -> [Double] {
        (0..<9).map { index in
            let weight = brightness[index % 3]
            return weight + saturation * ((index % 4 == 0 ? 1 : 0) - weight)
        }
    }

    // MARK: Parts that colour operations share

    enum Arithmetic {
        case plus, minus, times, over
        /// The other's bands behind its own.
        case beside
    }

    func copied() throws(ImagingError) -> Image {
        try unsafe derived(
            cvips_copy(pointer),
            .operationFailed,
            "the image cannot be referred to"
        )
    }

    /// Some of the bands.
    func band(_ first: Int, count: Int) throws(ImagingError) -> Image {
        try unsafe derived(
            cvips_extract_band(pointer, Int32(first), Int32(count)),
            .operationFailed,
            "the bands cannot be separated"
        )
    }

    /// Each band a sum of the three, with the weights of a row of the matrix.
    func recombined(_ matrix: [Double]) throws(ImagingError) -> Image {
        try unsafe derived(
            cvips_recomb(pointer, matrix, 3, Int32(matrix.count / 3)),
            .operationFailed,
            "the colours cannot be mixed"
        )
    }

    /// Two images pixel by pixel; a single band of the other goes with each band of this one.
    func combined(
        _ operation: Arithmetic,
        _ other: borrowing Image
    ) throws(ImagingError) -> Image {
        let (a, b) = unsafe (pointer, other.pointer)
        let result: UnsafeMutablePointer<VipsImage>?
        switch operation {
        case .plus: unsafe result = unsafe cvips_add(a, b)
        case .minus: unsafe result = unsafe cvips_subtract(a, b)
        case .times: unsafe result = unsafe cvips_multiply(a, b)
        case .over: unsafe result = unsafe cvips_divide(a, b)
        case .beside: unsafe result = unsafe cvips_bandjoin(a, b)
        }
        return try unsafe derived(
            result,
            .operationFailed,
            "two images cannot be combined"
        )
    }

    func scaled(by factor: Double) throws(ImagingError) -> Image {
        try unsafe derived(
            cvips_linear(pointer, factor, 0),
            .operationFailed,
            "the samples cannot be scaled"
        )
    }

    /// Colour bands with the alpha of the picture that they were made of, where it has one.
    func withAlpha(of whole: borrowing Image) throws(ImagingError) -> Image {
        let space = bands == 1 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB
        guard whole.hasAlpha else { return try tagged(space) }
        let alpha = try whole.band(whole.bands - 1, count: 1)
        let joined = try combined(.beside, alpha)
        return try joined.tagged(space)
    }
}
