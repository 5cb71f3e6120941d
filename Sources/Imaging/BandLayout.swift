internal import CVips

/// Which bands of an image are colour and which is alpha.
struct BandLayout {
    /// 1 for grey, 3, or 4 for CMYK.
    let colours: Int
    /// Whether exactly one band follows the colours.
    let hasAlpha: Bool

    init(bands: Int, interpretation: VipsInterpretation) {
        // Three colours packed into four bytes.
        guard interpretation != VIPS_INTERPRETATION_LABQ else {
            colours = 3
            hasAlpha = false
            return
        }
        let meant =
            switch interpretation {
            case VIPS_INTERPRETATION_B_W, VIPS_INTERPRETATION_GREY16: 1
            case VIPS_INTERPRETATION_CMYK: 4
            case VIPS_INTERPRETATION_MULTIBAND: bands < 3 ? 1 : 3
            default: 3
            }
        colours = bands >= meant ? meant : bands < 3 ? 1 : 3
        hasAlpha = bands == colours + 1
    }
}
