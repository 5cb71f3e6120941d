internal import CVips

extension Image {
    /// How much red, green and blue count in the lightness of a coded colour: JPEG's own weights.
    private static let lightness = [0.299, 0.587, 0.114]

    /// The picture blurred by a Gaussian; beyond its borders its outermost pixels go on.
    ///
    /// The image is in standard colour; what is transparent colours nothing.
    package func blurred(sigma: Double) throws(ImagingError) -> Image {
        guard hasAlpha else {
            return try inFloatingPoint().smoothed(sigma: sigma).eightBit()
        }
        return try premultiplied().smoothed(sigma: sigma).unpremultiplied()
    }

    /// The picture with its differences from a blurred one enlarged by `amount`.
    ///
    /// Only the lightness is sharpened, the same for all three colours, so that edges get no
    /// coloured seam; of a picture with alpha each pixel is held against what is visible around
    /// it, so that outlines get none either. libvips' own `sharpen` knows nothing of alpha, and
    /// goes through a colour space of which one colour in sixty does not come back as it was.
    package func sharpened(sigma: Double, amount: Double) throws(ImagingError) -> Image {
        let isColoured = bands > 2
        let colours = try band(0, count: isColoured ? 3 : 1).inFloatingPoint()
        let light = isColoured ? try colours.recombined(Self.lightness) : try colours.copied()
        let gain: Image
        if hasAlpha {
            let alpha = try band(bands - 1, count: 1).inFloatingPoint()
            let seen = try light.combined(.times, alpha).smoothed(sigma: sigma)
            let around = try seen.combined(.over, alpha.smoothed(sigma: sigma))
            gain = try light.combined(.minus, around).scaled(by: amount)
        } else {
            let around = try light.smoothed(sigma: sigma)
            gain = try light.combined(.minus, around).scaled(by: amount)
        }
        return try colours.combined(.plus, gain).eightBit().withAlpha(of: self)
    }

    /// A Gaussian over floating point, as far as it reaches: the default of libvips leaves out
    /// all that is below a fifth of its peak, which makes a sigma of 2 one of 1.6.
    private func smoothed(sigma: Double) throws(ImagingError) -> Image {
        try unsafe derived(
            cvips_gaussblur(pointer, sigma),
            .operationFailed,
            "the image cannot be blurred"
        )
    }
}
