/// What single bytes mean in a URL: the sets of RFC 3986 as bit masks.
enum URLByte {
    static let ampersand = UInt8(ascii: "&")
    static let at = UInt8(ascii: "@")
    static let colon = UInt8(ascii: ":")
    static let dot = UInt8(ascii: ".")
    static let equals = UInt8(ascii: "=")
    static let hash = UInt8(ascii: "#")
    static let percent = UInt8(ascii: "%")
    static let question = UInt8(ascii: "?")
    static let slash = UInt8(ascii: "/")
    static let underscore = UInt8(ascii: "_")

    /// Letters, digits, `-._~`: what is decoded where it was percent-encoded.
    @inline(__always)
    static func isUnreserved(_ byte: UInt8) -> Bool {
        contains(byte, low: 0x03FF_6000_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
    }

    /// What a path may hold as it stands: unreserved, `!$&'()*+,;=`, `:`, `@` and `/`.
    @inline(__always)
    static func isPath(_ byte: UInt8) -> Bool {
        contains(byte, low: 0x2FFF_FFD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFF)
    }

    /// What a query may hold as it stands: the path's bytes and `?`.
    @inline(__always)
    static func isQuery(_ byte: UInt8) -> Bool {
        contains(byte, low: 0xAFFF_FFD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFF)
    }

    /// What a registered name may hold besides percent-encoded bytes: unreserved and
    /// `!$&'()*+,;=`.
    @inline(__always)
    static func isHost(_ byte: UInt8) -> Bool {
        contains(byte, low: 0x2BFF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
    }

    @inline(__always)
    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

    /// The value of a hexadecimal digit, `nil` for any other byte.
    @inline(__always)
    static func hexValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte &- 0x30 }
        let letter = (byte | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }

    /// The upper-case hexadecimal digit of a value below 16.
    @inline(__always)
    static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 &+ value : 0x37 &+ value }

    @inline(__always)
    private static func contains(_ byte: UInt8, low: UInt64, high: UInt64) -> Bool {
        let half = byte & 0x40 == 0 ? low : high
        return byte < 0x80 && (half >> UInt64(byte & 0x3F)) & 1 != 0
    }
}
