/// One line of JSON, its fields in the order they are written.
///
/// Written by hand because JSONEncoder keeps no order and leaves absent values out, where scripts
/// want null.
struct JSONLine {
    private(set) var bytes: [UInt8] = [UInt8(ascii: "{")]

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

    private mutating func key(_ name: String) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        string(name)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x0A: bytes += "\\n".utf8
            case 0x0D: bytes += "\\r".utf8
            case 0x09: bytes += "\\t".utf8
            case 0..<0x20, 0x7F:
                let hex = String(Int(byte) + 0x100, radix: 16).dropFirst()
                bytes += "\\u00\(hex)".utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
