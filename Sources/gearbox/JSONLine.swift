/// One line of JSON, its fields in the order they are written.
///
/// Written by hand because JSONEncoder keeps no order and leaves absent values out, where scripts
/// want null.
struct JSONLine {
    private(set) var bytes: [UInt8]

    init() {
        bytes = []
        bytes.reserveCapacity(512)
        bytes.append(UInt8(ascii: "{"))
    }

    mutating func field(_ name: String, _ value: String?) {
        key(name)
        if let value { string(value) } else { bytes += "null".utf8 }
    }

    mutating func field(_ name: String, _ value: Int?) {
        key(name)
        bytes += (value.map { String($0) } ?? "null").utf8
    }

    mutating func field(_ name: String, _ value: Bool?) {
        key(name)
        bytes += (value.map { $0 ? "true" : "false" } ?? "null").utf8
    }

    /// Milliseconds are exact enough for people's eyes.
    mutating func field(_ name: String, seconds: Double) {
        key(name)
        let milliseconds = Int((seconds * 1_000).rounded())
        let fraction = String(milliseconds % 1_000 + 1_000).dropFirst()
        bytes += "\(milliseconds / 1_000).\(fraction)".utf8
    }

    /// Six digits behind the point; a share from 0 to 1.
    mutating func field(_ name: String, fraction: Double?) {
        key(name)
        guard let fraction else {
            bytes += "null".utf8
            return
        }
        let millionths = Int((fraction * 1_000_000).rounded())
        let digits = String(millionths % 1_000_000 + 1_000_000).dropFirst()
        bytes += "\(millionths / 1_000_000).\(digits)".utf8
    }

    mutating func field(_ name: String, integers: [Int]) {
        key(name)
        bytes += "[\(integers.map(String.init).joined(separator: ","))]".utf8
    }

    mutating func field(_ name: String, object: ((inout JSONLine) -> Void)?) {
        key(name)
        guard let object else {
            bytes += "null".utf8
            return
        }
        var line = JSONLine()
        object(&line)
        bytes += line.ended
    }

    mutating func field(_ name: String, list: [JSONLine]) {
        key(name)
        bytes.append(UInt8(ascii: "["))
        for (index, line) in list.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += line.ended
        }
        bytes.append(UInt8(ascii: "]"))
    }

    mutating func field(_ name: String, texts: [String]) {
        key(name)
        bytes.append(UInt8(ascii: "["))
        for (index, text) in texts.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            string(text)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// The whole object, without a line end.
    var ended: [UInt8] { bytes + [UInt8(ascii: "}")] }

    /// The whole object and a line end.
    consuming func endedLine() -> [UInt8] {
        bytes += "}\n".utf8
        return bytes
    }

    private mutating func key(_ name: String) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        string(name)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func string(_ text: String) {
        let text = text.utf8Span.span
        bytes.append(UInt8(ascii: "\""))
        // In pieces, because room is asked for as if each byte became six.
        for start in stride(from: 0, to: text.count, by: 4_096) {
            let piece = text.extracting(start..<min(start + 4_096, text.count))
            bytes.append(addingCapacity: 6 * piece.count) { output in
                for index in piece.indices { Self.append(piece[index], to: &output) }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    @inline(__always)
    private static func append(_ byte: UInt8, to output: inout OutputSpan<UInt8>) {
        if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte != 0x7F {
            output.append(byte)
        } else {
            appendEscaped(byte, to: &output)
        }
    }

    private static func appendEscaped(_ byte: UInt8, to output: inout OutputSpan<UInt8>) {
        output.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
        case 0x0A: output.append(UInt8(ascii: "n"))
        case 0x0D: output.append(UInt8(ascii: "r"))
        case 0x09: output.append(UInt8(ascii: "t"))
        default:
            for digit in "u00\(String(Int(byte) + 0x100, radix: 16).dropFirst())".utf8 {
                output.append(digit)
            }
        }
    }
}
