internal import CVips

extension Image {
    /// The image as the bytes of a file, without metadata and without colour profile.
    ///
    /// The image is in standard colour and in memory where it is encoded more than once.
    package func encoded(as encoding: Encoding) throws(ImagingError) -> [UInt8] {
        let bare = try watched()
        bare.removeMetadata()
        var length = 0
        let bytes: UnsafeMutableRawPointer?
        switch encoding {
        case .jpeg(let quality, let progressive):
            precondition(!hasAlpha, "JPEG has no alpha: flatten first")
            unsafe bytes = unsafe cvips_jpegsave(
                bare.pointer,
                &length,
                Int32(quality),
                progressive ? 1 : 0
            )
        case .png(let interlaced):
            unsafe bytes = unsafe cvips_pngsave(bare.pointer, &length, 6, interlaced ? 1 : 0)
        case .webp(let quality, let effort):
            unsafe bytes = unsafe cvips_webpsave(
                bare.pointer,
                &length,
                Int32(quality),
                Int32(effort)
            )
        case .gif(let interlaced):
            unsafe bytes = unsafe cvips_gifsave(bare.pointer, &length, 7, interlaced ? 1 : 0)
        case .avif(let quality, let effort):
            unsafe bytes = unsafe cvips_avifsave(
                bare.pointer,
                &length,
                Int32(quality),
                Int32(effort)
            )
        }
        guard let bytes = unsafe bytes else {
            throw origin.failure(.encodeFailed, "the encoder fails")
        }
        defer { unsafe g_free(bytes) }
        let file = unsafe Array(UnsafeRawBufferPointer(start: bytes, count: length))
        if case .webp = encoding { return WebPFile.withoutMetadata(file) }
        return file
    }

    /// Removes every field but those that make an animation: `strip` leaves some behind.
    private func removeMetadata() {
        let kept = ["page-height", "delay", "loop"]
        guard let fields = unsafe vips_image_get_fields(pointer) else { return }
        defer { unsafe g_strfreev(fields) }
        var index = 0
        while let field = unsafe fields[index] {
            if unsafe !kept.contains(String(cString: field)) {
                unsafe _ = vips_image_remove(pointer, field)
            }
            index += 1
        }
    }
}
