/// The configured origins, found by the bytes of a host.
struct OriginTable: Sendable {
    private struct Host: Hashable {
        /// In lower case.
        let name: [UInt8]
        /// `nil` for the scheme's default.
        let port: Int?

        /// A host as it is configured: `name` or `name:port`.
        init(_ text: String) {
            let bytes = text.utf8.map(URLByte.lowercased)
            let digits = bytes.reversed().prefix(while: URLByte.isDigit).reversed()
            let colon = bytes.count - digits.count - 1
            if colon > 0, bytes[colon] == URLByte.colon,
                let port = Int(String(decoding: digits, as: UTF8.self))
            {
                name = Array(bytes[..<colon])
                self.port = port
            } else {
                name = bytes
                port = nil
            }
        }
    }

    /// A configured host's place in `names`, its port and its origin.
    private struct Slot {
        var name = 0..<0
        var port: Int?
        var entry: OriginEntry
        /// Nothing is configured here: the search ends.
        var isFree = true
    }

    /// What a host that no origin lists gets.
    private let unlisted: OriginEntry
    /// Open addressing by the hash of the name; never full.
    private let slots: [Slot]
    /// The names of all hosts, one behind the other.
    private let names: [UInt8]
    private let mask: Int

    init(_ rules: CanonicalRules) {
        unlisted = OriginEntry(name: nil, dialect: rules.defaultDialect, filter: .keepingAll)
        var hosts: [(host: Host, entry: OriginEntry)] = []
        var known: Set<Host> = []
        for origin in rules.origins {
            let entry = OriginEntry(
                name: origin.name,
                dialect: origin.dialect,
                filter: ParameterFilter(origin)
            )
            for host in origin.hosts.map(Host.init) where known.insert(host).inserted {
                hosts.append((host, entry))
            }
        }
        // A host that no origin lists but that is called like an origin must not share its keys.
        for origin in rules.origins {
            let host = Host(origin.name)
            guard known.insert(host).inserted else { continue }
            let entry = OriginEntry(
                name: "//" + origin.name,
                dialect: rules.defaultDialect,
                filter: .keepingAll
            )
            hosts.append((host, entry))
        }
        var size = 8
        while size < hosts.count * 2 { size *= 2 }
        mask = size - 1
        var slots = [Slot](repeating: Slot(entry: unlisted), count: size)
        var names: [UInt8] = []
        for (host, entry) in hosts {
            var place = Self.hash(host.name.span, 0..<host.name.count) & mask
            while !slots[place].isFree { place = (place + 1) & mask }
            let start = names.count
            names += host.name
            slots[place] = Slot(
                name: start..<names.count,
                port: host.port,
                entry: entry,
                isFree: false
            )
        }
        self.slots = slots
        self.names = names
    }

    /// The origin of a host, which may be in any case.
    @inline(__always)
    func entry(_ bytes: borrowing Span<UInt8>, _ host: Range<Int>, port: Int?) -> OriginEntry {
        var place = Self.hash(bytes, host) & mask
        let slots = slots.span
        while !slots[place].isFree {
            if slots[place].port == port, isNamed(slots[place].name, bytes, host) {
                return slots[place].entry
            }
            place = (place &+ 1) & mask
        }
        return unlisted
    }

    @inline(__always)
    private func isNamed(
        _ name: Range<Int>,
        _ bytes: borrowing Span<UInt8>,
        _ host: Range<Int>
    ) -> Bool {
        guard name.count == host.count else { return false }
        let names = names.span
        for offset in 0..<name.count
        where names[name.lowerBound &+ offset]
            != URLByte.lowercased(bytes[host.lowerBound &+ offset])
        {
            return false
        }
        return true
    }

    @inline(__always)
    private static func hash(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Int {
        var hash: UInt32 = 2_166_136_261
        // Letters of a host differ in more than their case bit, which is why it may be set blindly.
        for index in range { hash = (hash ^ UInt32(bytes[index] | 0x20)) &* 16_777_619 }
        return Int(hash ^ (hash >> 15))
    }
}
