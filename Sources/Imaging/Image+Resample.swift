internal import CVips

/// A rectangle of pixels of a scaled picture.
package struct Window: Hashable, Sendable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

extension Image {
    /// How much larger than the target a box filter leaves a picture before Lanczos takes over:
    /// the larger, the closer to Lanczos alone, and the slower.
    private static let boxGap = 3.0
    /// Up to this many pixels of the scaled picture are computed in floating point.
    ///
    /// libvips' integer kernels do not quite add up to one; in a small picture, reduced far, that
    /// shows as a loss of several decibels, and precision costs next to nothing there.
    private static let preciseUpTo = 300_000

    /// A window of the picture, scaled to an exact size.
    ///
    /// Only the pixels that the window needs are computed. The image is in standard colour; alpha
    /// is taken into account, so that what is transparent colours nothing.
    ///
    /// - Parameters:
    ///   - extent: where the whole picture lies in this image.
    ///   - width: what the whole picture's width becomes.
    ///   - height: what the whole picture's height becomes.
    ///   - window: what is wanted of that.
    /// - Returns: an image of the window's size, not yet computed.
    /// - Throws: `ImagingError` where libvips refuses.
    package func resampled(
        extent: PictureExtent,
        width: Int,
        height: Int,
        window: Window
    ) throws(ImagingError) -> Image {
        let across = AxisSampling(
            count: self.width,
            extent: extent.horizontal,
            scaled: width,
            offset: window.x,
            wanted: window.width
        )
        let down = AxisSampling(
            count: self.height,
            extent: extent.vertical,
            scaled: height,
            offset: window.y,
            wanted: window.height
        )
        if case .cut(let x) = across, case .cut(let y) = down {
            return try cut(x: x, y: y, width: window.width, height: window.height)
        }
        guard hasAlpha else {
            guard width * height <= Self.preciseUpTo else {
                return try sampled(across: across, down: down, window: window)
            }
            return try inFloatingPoint()
                .sampled(across: across, down: down, window: window)
                .eightBit()
        }
        return try premultiplied()
            .sampled(across: across, down: down, window: window)
            .unpremultiplied()
    }

    /// The whole image scaled to an exact size.
    ///
    /// Can be read from top to bottom while the file is decoded, so that a large one is never held.
    package func scaled(width: Int, height: Int) throws(ImagingError) -> Image {
        try resampled(
            extent: PictureExtent(width: self.width, height: self.height),
            width: width,
            height: height,
            window: Window(x: 0, y: 0, width: width, height: height)
        )
    }

    /// The picture turned upright as its orientation says, and in memory.
    package func upright() throws(ImagingError) -> Image {
        let stored = try inMemory()
        let turned = try unsafe stored.derived(
            cvips_autorot(stored.pointer),
            .operationFailed,
            "the image cannot be turned"
        )
        return try turned.inMemory()
    }

    /// Part of the image.
    package func cut(x: Int, y: Int, width: Int, height: Int) throws(ImagingError) -> Image {
        let isWhole = x == 0 && y == 0 && width == self.width && height == self.height
        return try unsafe derived(
            isWhole
                ? cvips_copy(pointer)
                : cvips_extract_area(pointer, Int32(x), Int32(y), Int32(width), Int32(height)),
            .operationFailed,
            "the image cannot be cut"
        )
    }

    private func sampled(
        across: AxisSampling,
        down: AxisSampling,
        window: Window
    ) throws(ImagingError) -> Image {
        let image = try reduced(across: across, down: down)
        let (x, y) = (across.rest, down.rest)
        guard x.grows || y.grows else {
            return try image.cut(
                x: Int(x.start),
                y: Int(y.start),
                width: window.width,
                height: window.height
            )
        }
        return try unsafe image.derived(
            cvips_affine(
                image.pointer,
                1 / x.step,
                1 / y.step,
                -x.start,
                -y.start,
                Int32(window.width),
                Int32(window.height)
            ),
            .operationFailed,
            "the image cannot be enlarged"
        )
    }

    /// The image with the axes that shrink done: rows first, as fewer remain then.
    private func reduced(across: AxisSampling, down: AxisSampling) throws(ImagingError) -> Image {
        var image = try cut(x: 0, y: 0, width: width, height: height)
        if case .reduce(let start, let length, let step, _) = down {
            image = try image.widened(x: 0, y: start, width: image.width, height: length)
            image = try unsafe image.derived(
                cvips_reducev(image.pointer, step, Self.boxGap),
                .operationFailed,
                "the image cannot be reduced"
            )
        }
        if case .reduce(let start, let length, let step, _) = across {
            image = try image.widened(x: start, y: 0, width: length, height: image.height)
            image = try unsafe image.derived(
                cvips_reduceh(image.pointer, step, Self.boxGap),
                .operationFailed,
                "the image cannot be reduced"
            )
        }
        return image
    }

    /// A rectangle that may reach over the image's edges: its outermost pixels go on there.
    private func widened(x: Int, y: Int, width: Int, height: Int) throws(ImagingError) -> Image {
        try unsafe derived(
            cvips_embed(pointer, Int32(-x), Int32(-y), Int32(width), Int32(height)),
            .operationFailed,
            "the image cannot be widened"
        )
    }

    func inFloatingPoint() throws(ImagingError) -> Image {
        try unsafe derived(
            cvips_cast(pointer, VIPS_FORMAT_FLOAT),
            .operationFailed,
            "the samples cannot be converted"
        )
    }

    func premultiplied() throws(ImagingError) -> Image {
        try unsafe derived(
            cvips_premultiply(pointer),
            .operationFailed,
            "alpha cannot be applied"
        )
    }

    func unpremultiplied() throws(ImagingError) -> Image {
        let plain = try unsafe derived(
            cvips_unpremultiply(pointer),
            .operationFailed,
            "alpha cannot be taken out"
        )
        return try plain.eightBit()
    }
}
