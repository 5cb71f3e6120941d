/// The beginning of a body as it may stand in a message: one line of at most 80 characters.
package enum Excerpt {
    package static let length = 80

    /// Escapes what is not printable, and hides what a page repeats of the request's secrets.
    package static func of(_ bytes: some Collection<UInt8>, hiding secrets: [String] = []) -> String
    {
        var shown = Array(bytes.prefix(4 * length))
        for secret in secrets { hide(Array(secret.utf8), in: &shown) }
        var text = ""
        var count = 0
        var afterBlank = true
        for scalar in String(decoding: shown, as: UTF8.self).unicodeScalars {
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

    /// The beginning of a secret is enough to know it: the end of the excerpt may cut it.
    private static func hide(_ secret: [UInt8], in bytes: inout [UInt8]) {
        guard secret.count >= shortestSecret else { return }
        var start = 0
        while start + shortestSecret <= bytes.count {
            let same = zip(bytes[start...], secret).prefix { $0 == $1 }.count
            if same >= min(secret.count, 2 * shortestSecret) || start + same == bytes.count {
                bytes.replaceSubrange(start..<start + same, with: Array("...".utf8))
            }
            start += 1
        }
    }

    /// Shorter values are words that stand in every page.
    private static let shortestSecret = 6
}
