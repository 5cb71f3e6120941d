/// The header fields of a response, by name in any case.
package struct HeaderFields: Sendable, Hashable {
    /// The lines as they came, each behind its length in two bytes: few of the fields are ever asked
    /// for, and a look at one line need not go through it.
    private var lines: [UInt8] = []

    /// Longer heads are no honest response's; the rest is dropped.
    private static let limit = 64 * 1024 - 1
    private static let colon = UInt8(ascii: ":")
    private static let lineFeed = UInt8(ascii: "\n")

    package init() {}

    /// The first field of a name.
    package subscript(name: StaticString) -> String? {
        guard let line = line(named: name) else { return nil }
        return Self.text(lines.span.extracting(line))
    }

    /// Adds a line as it came, with or without its line end.
    mutating func add(line: Span<UInt8>) {
        guard lines.count + line.count < Self.limit else { return }
        if lines.isEmpty { lines.reserveCapacity(512) }
        var end = line.count
        while end > 0, line[end - 1] == Self.lineFeed { end -= 1 }
        lines.append(UInt8(end >> 8))
        lines.append(UInt8(end & 0xFF))
        line.extracting(0..<end).append(to: &lines)
    }

    /// Where the value of the first field of a name stands.
    private func line(named name: StaticString) -> Range<Int>? {
        let lines = lines.span
        let length = name.utf8CodeUnitCount
        var end = 0
        while end < lines.count {
            let start = end + 2
            end = start + Int(lines[end]) << 8 + Int(lines[end + 1])
            if end - start > length, lines[start + length] == Self.colon,
                Self.isEqual(lines.extracting(start..<start + length), name)
            {
                return start + length + 1..<end
            }
        }
        return nil
    }

    private static func isEqual(_ bytes: Span<UInt8>, _ name: StaticString) -> Bool {
        let name = unsafe Span(_unsafeStart: name.utf8Start, count: name.utf8CodeUnitCount)
        return bytes.indices.allSatisfy { lowercased(bytes[$0]) == lowercased(name[$0]) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D
    }

    /// Where a field is no UTF-8, its other bytes are percent-encoded: a Location may have them,
    /// and must be followed byte for byte.
    private static func text(_ bytes: Span<UInt8>) -> String {
        var (start, end) = (0, bytes.count)
        while start < end, isBlank(bytes[start]) { start += 1 }
        while start < end, isBlank(bytes[end - 1]) { end -= 1 }
        let value = bytes.extracting(start..<end)
        if let text = try? UTF8Span(validating: value) { return String(copying: text) }
        let encoded = value.indices.flatMap { value[$0] < 0x80 ? [value[$0]] : value[$0].encoded }
        return String(decoding: encoded, as: UTF8.self)
    }
}

extension UInt8 {
    /// `%` and two hexadecimal digits.
    var encoded: [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "%"), digits[Int(self >> 4)], digits[Int(self & 15)]]
    }
}
