internal import CVips

extension Image {
    /// An image made of samples: row after row, the bands of a pixel together.
    ///
    /// - Parameters:
    ///   - samples: `width * height * bands` of them.
    ///   - width: the image's width.
    ///   - height: the image's height.
    ///   - bands: 1 grey, 2 grey and alpha, 3 sRGB, 4 sRGB and alpha.
    /// - Returns: an image in memory.
    /// - Throws: `ImagingError` where libvips has no memory for it.
    package static func fromSamples(
        _ samples: [UInt8],
        width: Int,
        height: Int,
        bands: Int
    ) throws(ImagingError) -> Image {
        precondition(
            samples.count == width * height * bands,
            "a sample for each band of each pixel"
        )
        try ImagingRuntime.start()
        let made = unsafe samples.withUnsafeBytes { bytes in
            unsafe vips_image_new_from_memory_copy(
                bytes.baseAddress,
                bytes.count,
                Int32(width),
                Int32(height),
                Int32(bands),
                VIPS_FORMAT_UCHAR
            )
        }
        guard let made = unsafe made else {
            throw .failed(.operationFailed, "samples", "no image can be made of them")
        }
        return try unsafe Image(
            adopting: made,
            origin: ImageOrigin(subject: "samples", loader: nil, deadline: nil)
        )
        .tagged(bands < 3 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB)
    }

    /// The image's samples, one byte each: row after row, the bands of a pixel together.
    package func samples() throws(ImagingError) -> [UInt8] {
        let watched = try watched()
        var length = 0
        guard let bytes = unsafe vips_image_write_to_memory(watched.pointer, &length) else {
            throw origin.failure(.decodeFailed, "the pixels cannot be read")
        }
        defer { unsafe g_free(bytes) }
        return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: length))
    }
}
