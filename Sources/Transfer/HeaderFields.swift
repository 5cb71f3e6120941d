/// The header fields of a response, by name in any case.
package struct HeaderFields: Sendable, Hashable {
    /// The lines as they came, each with one LF: few of the fields are ever asked for.
    private var lines: [UInt8] = []

    /// Longer heads are no honest response's; the rest is dropped.
    private static let limit = 64 * 1024
    private static let colon = UInt8(ascii: ":")
    private static let lineFeed = UInt8(ascii: "\n")

    package init() {}

    /// The first field of a name.
    package subscript(name: String) -> String? {
        let name = Array(name.utf8)
        var start = 0
        while start < lines.count {
            let end = lines[start...].firstIndex(of: Self.lineFeed) ?? lines.count
            if Self.begins(lines[start..<end], name) {
                return Self.text(lines[start + name.count + 1..<end])
            }
            start = end + 1
        }
        return nil
    }

    /// Adds a line as it came, with or without its line end.
    mutating func add(line: Span<UInt8>) {
        guard lines.count + line.count < Self.limit else { return }
        for index in line.indices where line[index] != Self.lineFeed { lines.append(line[index]) }
        lines.append(Self.lineFeed)
    }

    private static func begins(_ line: ArraySlice<UInt8>, _ name: [UInt8]) -> Bool {
        guard line.count > name.count, line[line.startIndex + name.count] == colon else {
            return false
        }
        return zip(line, name).allSatisfy { lowercased($0) == lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D
    }

    /// Where a field is no UTF-8, its other bytes are percent-encoded: a Location may have them,
    /// and must be followed byte for byte.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        var value = bytes.drop(while: isBlank)
        while let last = value.last, isBlank(last) { value.removeLast() }
        return String(validating: value, as: UTF8.self)
            ?? String(decoding: value.flatMap { $0 < 0x80 ? [$0] : $0.encoded }, as: UTF8.self)
    }
}

extension UInt8 {
    /// `%` and two hexadecimal digits.
    var encoded: [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "%"), digits[Int(self >> 4)], digits[Int(self & 15)]]
    }
}
