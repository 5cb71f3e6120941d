internal import CCurl

/// An address of the Internet Protocol, and whether it is one of the public Internet.
package struct NetworkAddress: Sendable, Hashable, CustomStringConvertible {
    /// 4 or 16.
    package let bytes: [UInt8]

    package init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Reads the usual text of an address, without brackets.
    package init?(_ text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = unsafe ccurl_parse_address(text, &bytes)
        self.init(bytes: Array(bytes.prefix(Int(count))))
    }

    /// False for loopback, private, link-local, shared, multicast, reserved and unspecified
    /// addresses, and for IPv6 addresses that lead to such an IPv4 address.
    package var isPublic: Bool { bytes.count == 4 ? isPublicV4 : isPublicV6 }

    private var isPublicV4: Bool {
        !Self.reservedV4.contains { begins($0.bytes, bits: $0.bits) }
    }

    /// IANA's registry of special-purpose IPv4 addresses, and the old multicast relay.
    private static let reservedV4: [(bytes: [UInt8], bits: Int)] = [
        ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12),
        ([192, 0, 0], 24), ([192, 0, 2], 24), ([192, 88, 99], 24), ([192, 168], 16),
        ([198, 18], 15), ([198, 51, 100], 24), ([203, 0, 113], 24), ([224], 4), ([240], 4),
    ]

    private var isPublicV6: Bool {
        if let inner = wrapped { return inner.isPublic }
        // Only 2000::/3 is given out, and these parts of it are not for hosts.
        guard begins([0x20], bits: 3) else { return false }
        return !Self.reservedV6.contains { begins($0.bytes, bits: $0.bits) }
    }

    private static let reservedV6: [(bytes: [UInt8], bits: Int)] = [
        // Protocol assignments with Teredo, whose inner address is scrambled.
        ([0x20, 0x01, 0, 0], 23),
        ([0x20, 0x01, 0x0D, 0xB8], 32),
        ([0x3F, 0xFF, 0], 20),
    ]

    /// The IPv4 address that a packet to this IPv6 address ends at.
    private var wrapped: NetworkAddress? {
        let zeros = { (range: Range<Int>) in bytes[range].allSatisfy { $0 == 0 } }
        let tail = NetworkAddress(bytes: Array(bytes[12...]))
        // ::ffff:a.b.c.d (mapped), ::ffff:0:a.b.c.d (translated), ::a.b.c.d (compatible).
        if zeros(0..<10), bytes[10] == 0xFF, bytes[11] == 0xFF { return tail }
        if zeros(0..<8), bytes[8] == 0xFF, bytes[9] == 0xFF, zeros(10..<12) { return tail }
        if zeros(0..<12) { return tail }
        // 64:ff9b::a.b.c.d (NAT64). The local-use prefix 64:ff9b:1::/48 is not of 2000::/3.
        if begins([0, 0x64, 0xFF, 0x9B], bits: 32), zeros(4..<12) { return tail }
        // 2002:aabb:ccdd:: (6to4).
        if begins([0x20, 0x02], bits: 16) { return NetworkAddress(bytes: Array(bytes[2..<6])) }
        // An ISATAP interface: ...:0:5efe:a.b.c.d, or 200:5efe.
        if bytes[8] & 0xFD == 0, bytes[9] == 0, bytes[10] == 0x5E, bytes[11] == 0xFE,
            begins([0x20], bits: 3)
        {
            return tail
        }
        return nil
    }

    private func begins(_ prefix: [UInt8], bits: Int) -> Bool {
        var left = bits
        for (index, byte) in prefix.enumerated() where left > 0 {
            let mask = left >= 8 ? 0xFF : ~(UInt8(0xFF) >> UInt8(left))
            guard bytes[index] & mask == byte & mask else { return false }
            left -= 8
        }
        return true
    }

    package var description: String {
        if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
        return stride(from: 0, to: 16, by: 2).map {
            String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
        }.joined(separator: ":")
    }
}
