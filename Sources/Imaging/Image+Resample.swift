internal import CResample
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
    /// A window of the picture, scaled to an exact size, in memory.
    ///
    /// Only the pixels that the window needs are computed, and they are read once, from top to
    /// bottom: a large file is never held whole. The image is in standard colour; alpha is taken
    /// into account, so that what is transparent colours nothing.
    ///
    /// - Parameters:
    ///   - extent: where the whole picture lies in this image.
    ///   - width: what the whole picture's width becomes.
    ///   - height: what the whole picture's height becomes.
    ///   - window: what is wanted of that.
    /// - Returns: an image of the window's size.
    /// - Throws: `ImagingError` where the pixels cannot be read, or time is up.
    package func resampled(
        extent: PictureExtent,
        width: Int,
        height: Int,
        window: Window
    ) throws(ImagingError) -> Image {
        let across = AxisSampling(
            extent: extent.horizontal,
            scaled: width,
            offset: window.x,
            wanted: window.width
        )
        let down = AxisSampling(
            extent: extent.vertical,
            scaled: height,
            offset: window.y,
            wanted: window.height
        )
        if let x = across.cutFrom, let y = down.cutFrom {
            return try cut(x: x, y: y, width: window.width, height: window.height).inMemory()
        }
        return try sampled(across: across, down: down)
    }

    /// The whole image scaled to an exact size, in memory.
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
        down: AxisSampling
    ) throws(ImagingError) -> Image {
        let result = try blank(width: across.count, height: down.count)
        guard let reader = RowReader(of: self),
            let samples = unsafe result.pointer.pointee.data
        else { throw origin.failure(.operationFailed, "there is no memory for the pixels") }
        let input = unsafe cresample_picture(
            width: Int32(width),
            height: Int32(height),
            bands: Int32(bands),
            has_alpha: hasAlpha,
            row: { context, y in
                guard let context = unsafe context else { return nil }
                return unsafe Unmanaged<RowReader>.fromOpaque(context).takeUnretainedValue().row(y)
            },
            context: Unmanaged.passUnretained(reader).toOpaque()
        )
        let outcome = withExtendedLifetime(reader) {
            unsafe cresample(
                input,
                cresample_axis(across),
                cresample_axis(down),
                samples
            )
        }
        guard outcome == CRESAMPLE_DONE else {
            throw outcome == CRESAMPLE_NO_ROW
                ? origin.failure(.decodeFailed, "the pixels cannot be read")
                : origin.failure(.operationFailed, "there is no memory for the pixels")
        }
        return result
    }

    /// An image in memory with the colours of this one, whose pixels are yet to be written.
    private func blank(width: Int, height: Int) throws(ImagingError) -> Image {
        precondition(
            unsafe vips_image_get_format(pointer) == VIPS_FORMAT_UCHAR && bands <= 4,
            "only standard colour is resampled"
        )
        return try unsafe derived(
            cvips_blank(pointer, Int32(width), Int32(height)),
            .operationFailed,
            "there is no memory for the pixels"
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

extension cresample_axis {
    fileprivate init(_ axis: AxisSampling) {
        self.init(start: axis.start, step: axis.step, count: Int32(axis.count))
    }
}
