extension String {
    /// A URL, or a part of one, of any bytes.
    ///
    /// Bytes that are not UTF-8 are percent-encoded, so that two of them are one String only where
    /// they are the same bytes, and the canonical form stays what it is.
    package init(urlBytes bytes: Span<UInt8>) {
        if let text = String(utf8: bytes) {
            self = text
            return
        }
        let encoded = [UInt8](capacity: 3 * bytes.count) { output in
            for index in bytes.indices {
                let byte = bytes[index]
                if byte < 0x80 {
                    output.append(byte)
                } else {
                    PercentEncoding.appendEncoded(byte, to: &output)
                }
            }
        }
        self.init(decoding: encoded, as: UTF8.self)
    }

    /// A string of bytes; `nil` where they are not UTF-8.
    @inline(__always)
    init?(utf8 bytes: Span<UInt8>) {
        if #available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            guard let text = try? UTF8Span(validating: bytes) else { return nil }
            self.init(copying: text)
        } else {
            self.init(copyingUTF8: bytes)
        }
    }

    /// The same on systems that have no UTF8Span.
    package init?(copyingUTF8 bytes: Span<UInt8>) {
        let copy = [UInt8](capacity: bytes.count) { output in
            for index in bytes.indices { output.append(bytes[index]) }
        }
        self.init(decoding: copy, as: UTF8.self)
        // What is not UTF-8 was replaced.
        if !utf8.elementsEqual(copy) { return nil }
    }
}
