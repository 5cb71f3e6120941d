internal import CVips

/// A file as bytes, read through libvips' own input layer.
package enum ImageFile {
    /// The file's first bytes and its length.
    package static func head(
        of path: String,
        bytes wanted: Int
    ) throws(ImagingError) -> (head: [UInt8], length: Int) {
        try ImagingRuntime.start()
        guard let source = unsafe vips_source_new_from_file(path) else {
            throw .failed(.unreadable, path, "the file cannot be opened")
        }
        defer { unsafe g_object_unref(source) }
        let length = unsafe vips_source_length(source)
        guard length >= 0 else { throw .failed(.unreadable, path, "the file has no length") }
        var head = [UInt8](repeating: 0, count: min(wanted, Int(length)))
        var filled = 0
        while filled < head.count {
            let count = unsafe head.withUnsafeMutableBytes { buffer in
                unsafe vips_source_read(
                    source,
                    buffer.baseAddress?.advanced(by: filled),
                    buffer.count - filled
                )
            }
            guard count >= 0 else { throw .failed(.unreadable, path, "the file cannot be read") }
            if count == 0 { break }
            filled += Int(count)
        }
        return (Array(head.prefix(filled)), Int(length))
    }

    /// The whole file.
    package static func bytes(of path: String) throws(ImagingError) -> [UInt8] {
        var bytes: UnsafeMutablePointer<CChar>?
        var length = 0
        guard unsafe g_file_get_contents(path, &bytes, &length, nil) != 0, let bytes = unsafe bytes
        else { throw .failed(.unreadable, path, "the file cannot be read") }
        defer { unsafe g_free(bytes) }
        return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: length))
    }
}
