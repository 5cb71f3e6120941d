/// The beginning of a body as it may stand in a message: one line of at most 80 characters.
package enum Excerpt {
    package static let length = 80

    package static func of(_ bytes: some Collection<UInt8>) -> String {
        var text = ""
        var count = 0
        var afterBlank = true
        for scalar in String(decoding: bytes.prefix(4 * length), as: UTF8.self).unicodeScalars {
            let isBlank = scalar.properties.isWhitespace
            defer { afterBlank = isBlank }
            if isBlank && afterBlank { continue }
            let isPlain = scalar.value >= 0x20 && scalar.value < 0x7F
            let piece = isBlank ? " " : isPlain ? String(scalar) : scalar.escaped(asASCII: true)
            guard count + piece.count <= length else { break }
            text += piece
            count += piece.count
        }
        return text.last == " " ? String(text.dropLast()) : text
    }
}
