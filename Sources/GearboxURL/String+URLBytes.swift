extension String {
    /// A URL, or a part of one, of any bytes.
    ///
    /// Bytes that are not UTF-8 are percent-encoded, so that two of them are one String only where
    /// they are the same bytes, and the canonical form stays what it is.
    package init(urlBytes bytes: Span<UInt8>) {
        if let text = try? UTF8Span(validating: bytes) {
            self.init(copying: text)
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
}
