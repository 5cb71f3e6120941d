internal import GearboxDatabase

/// How a digest, and the name that it gives a file in the store, are held in half their length.
enum PackedFile {
    /// The bytes of a digest in lower-case hex; other values stay as they are.
    static func digest(_ value: Value) -> Value {
        guard case .text(let text) = value, let bytes = bytes(ofHex: text.utf8[...]) else {
            return value
        }
        return .blob(bytes)
    }

    /// The digest that names a file; other names stay as they are.
    ///
    /// - Parameters:
    ///   - value: `store/ab/abcd....webp`.
    ///   - format: its extension.
    /// - Returns: the digest's bytes, or the value.
    static func file(_ value: Value, format: Value) -> Value {
        guard case .text(let name) = value, case .text(let format) = format else { return value }
        let stem = name.utf8.dropFirst(9).dropLast(format.utf8.count + 1)
        guard let bytes = bytes(ofHex: stem), self.name(bytes, format: format) == name else {
            return value
        }
        return .blob(bytes)
    }

    /// The file that a digest names, relative to the cache directory.
    static func name(_ digest: [UInt8], format: String) -> String {
        var name: [UInt8] = []
        name.reserveCapacity(10 + 2 * digest.count + format.utf8.count)
        name += "store/".utf8
        append(digest.prefix(1), to: &name)
        name.append(UInt8(ascii: "/"))
        append(digest[...], to: &name)
        name.append(UInt8(ascii: "."))
        name += format.utf8
        return String(decoding: name, as: UTF8.self)
    }

    private static func append(_ bytes: ArraySlice<UInt8>, to text: inout [UInt8]) {
        for byte in bytes {
            text.append(digit(byte >> 4))
            text.append(digit(byte & 15))
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    private static func bytes(ofHex text: Substring.UTF8View) -> [UInt8]? {
        guard !text.isEmpty, text.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var high: UInt8?
        for character in text {
            let digit: UInt8
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = character - UInt8(ascii: "a") + 10
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes
    }
}
