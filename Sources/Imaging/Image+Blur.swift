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

    /// A Gaussian over floating point, a wide one by way of a smaller image.
    ///
    /// The cost of a Gaussian grows with its sigma, and what a wide one leaves needs few samples.
    /// The sigma left there is 3 to 6 samples: enough that the result is within a third of a level
    /// of the Gaussian on all pixels, for single pixels and fine stripes too.
    private func smoothed(sigma: Double) throws(ImagingError) -> Image {
        var factor = 1
        while sigma >= 6 * Double(factor) { factor *= 2 }
        guard factor > 1 else { return try gaussian(sigma: sigma) }
        // As far as a sample beyond the border can still reach over it.
        let margin = 2 * factor
        let small = try unsafe derived(
            cvips_shrink(pointer, Int32(factor), Int32(margin)),
            .operationFailed,
            "the image cannot be made smaller"
        ).inMemory()
        // Variances add up: this is what the triangle has done already.
        let done = Double(2 * factor * factor + 1) / 12
        let left = (sigma * sigma - done).squareRoot() / Double(factor)
        let soft = try small.gaussian(sigma: left).inMemory()
        return try unsafe soft.derived(
            cvips_enlarge(
                soft.pointer,
                Int32(factor),
                Int32(margin),
                Int32(width),
                Int32(height)
            ),
            .operationFailed,
            "the image cannot be enlarged"
        )
    }

    /// A Gaussian as far as it reaches: the default of libvips leaves out all that is below a
    /// fifth of its peak, which makes a sigma of 2 one of 1.6.
    private func gaussian(sigma: Double) throws(ImagingError) -> Image {
        try unsafe derived(
            cvips_gaussblur(pointer, sigma),
            .operationFailed,
            "the image cannot be blurred"
        )
    }
}
