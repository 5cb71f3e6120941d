/// The header fields of a response, by name in any case.
package struct HeaderFields: Sendable, Hashable {
    package private(set) var fields: [(name: String, value: String)] = []

    /// More fields than this are no honest response; the rest is dropped.
    private static let limit = 256

    package init() {}

    /// The first field of a name.
    package subscript(name: String) -> String? {
        fields.first { $0.name == name.lowercased() }?.value
    }

    /// Adds a line as it came, with or without its line end.
    mutating func add(line: Span<UInt8>) {
        guard fields.count < Self.limit else { return }
        var colon = 0
        while colon < line.count, line[colon] != UInt8(ascii: ":") { colon += 1 }
        guard colon > 0, colon < line.count else { return }
        var (start, end) = (colon + 1, line.count)
        while start < end, Self.isBlank(line[start]) { start += 1 }
        while end > start, Self.isBlank(line[end - 1]) { end -= 1 }
        let name = Self.text(line.extracting(0..<colon)).lowercased()
        fields.append((name, Self.text(line.extracting(start..<end))))
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
    }

    /// Where a field is no UTF-8, its other bytes are percent-encoded: a Location may have them,
    /// and must be followed byte for byte.
    private static func text(_ bytes: Span<UInt8>) -> String {
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count)
        for index in bytes.indices { copy.append(bytes[index]) }
        return String(validating: copy, as: UTF8.self)
            ?? String(decoding: copy.flatMap { $0 < 0x80 ? [$0] : $0.encoded }, as: UTF8.self)
    }

    package static func == (left: HeaderFields, right: HeaderFields) -> Bool {
        left.fields.elementsEqual(right.fields) { $0 == $1 }
    }

    package func hash(into hasher: inout Hasher) {
        for field in fields {
            hasher.combine(field.name)
            hasher.combine(field.value)
        }
    }
}

extension UInt8 {
    /// `%` and two hexadecimal digits.
    var encoded: [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "%"), digits[Int(self >> 4)], digits[Int(self & 15)]]
    }
}
