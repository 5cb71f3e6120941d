/// Bytes of a manifest as text.
enum ManifestText {
    /// A URL: what is not UTF-8 keeps its bytes by percent-encoding them.
    static func url(_ bytes: Span<UInt8>) -> String {
        if let text = try? UTF8Span(validating: bytes) { return String(copying: text) }
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for index in bytes.indices {
            let byte = bytes[index]
            if byte < 0x80 {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Any bytes, for a message: no longer than one shows, and what is not UTF-8 replaced.
    static func shown(_ bytes: Span<UInt8>) -> String {
        var copy: [UInt8] = []
        for index in 0..<min(bytes.count, 80) { copy.append(bytes[index]) }
        return String(decoding: copy, as: UTF8.self)
    }

    /// The bytes without blanks and line ends around them.
    static func trimmed(_ bytes: Span<UInt8>) -> Range<Int> {
        var range = 0..<bytes.count
        while let first = range.first, isBlank(bytes[first]) { range.removeFirst() }
        while let last = range.last, isBlank(bytes[last]) { range.removeLast() }
        return range
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// Whether the bytes are a word from a place on.
    static func has(_ word: [UInt8], in bytes: Span<UInt8>, at place: Int) -> Bool {
        guard place >= 0, bytes.count - place >= word.count else { return false }
        for index in word.indices where bytes[place + index] != word[index] { return false }
        return true
    }

    /// Where a word is found first, from a place on.
    static func find(_ word: [UInt8], in bytes: Span<UInt8>, from place: Int) -> Int? {
        var place = place
        while place < bytes.count {
            if has(word, in: bytes, at: place) { return place }
            place += 1
        }
        return nil
    }
}

extension [UInt8] {
    mutating func append(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
