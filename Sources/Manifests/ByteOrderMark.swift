/// What a text may begin with.
enum ByteOrderMark {
    static let longest = 3

    /// How many bytes to pass at the start of a text.
    ///
    /// - Throws: for text that is UTF-16, as some programs export "Unicode text".
    static func count(in text: Span<UInt8>) throws(ManifestFault) -> Int {
        guard text.count >= 2 else { return 0 }
        switch (text[0], text[1]) {
        case (0xFF, 0xFE), (0xFE, 0xFF):
            throw ManifestFault(
                code: .otherEncoding,
                message: "is UTF-16; save it as UTF-8"
            )
        case (0xEF, 0xBB): return text.count >= 3 && text[2] == 0xBF ? 3 : 0
        default: return 0
        }
    }
}
