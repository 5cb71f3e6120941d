extension JSONCursor {
    /// Reads a string from its opening quote to behind its closing one, as UTF-8.
    mutating func readString(
        _ text: Span<UInt8>,
        into bytes: inout [UInt8]
    ) throws(JSONFault) {
        place += 1
        while let byte = next(text) {
            switch byte {
            case UInt8(ascii: "\""):
                place += 1
                return
            case UInt8(ascii: "\\"):
                place += 1
                try readEscape(text, into: &bytes)
            case 0..<0x20: throw fault("not JSON: a control character in a string")
            default:
                bytes.append(byte)
                place += 1
            }
        }
        throw fault("not JSON: a string is not closed")
    }

    private mutating func readEscape(
        _ text: Span<UInt8>,
        into bytes: inout [UInt8]
    ) throws(JSONFault) {
        guard let byte = next(text) else { throw fault("not JSON: a string is not closed") }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(byte)
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "u"): return try readScalar(text, into: &bytes)
        default: throw fault("not JSON: an unknown escape")
        }
        place += 1
    }

    /// Reads `uXXXX`, or two of them where they are a pair of surrogates.
    private mutating func readScalar(
        _ text: Span<UInt8>,
        into bytes: inout [UInt8]
    ) throws(JSONFault) {
        var value = try readUnit(text)
        if (0xD800..<0xDC00).contains(value), next(text) == UInt8(ascii: "\\") {
            place += 1
            let low = next(text) == UInt8(ascii: "u") ? try readUnit(text) : 0
            guard (0xDC00..<0xE000).contains(low) else { throw fault("half of a character") }
            value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value) else { throw fault("half of a character") }
        bytes += Array(UTF8.encode(scalar).map(Array.init) ?? [])
    }

    private mutating func readUnit(_ text: Span<UInt8>) throws(JSONFault) -> UInt32 {
        place += 1
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next(text), let digit = HexDigit.value(byte) else {
                throw fault("not JSON: \\u needs four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
            place += 1
        }
        return value
    }
}
