/// The configured origins, found by the bytes of a host.
struct OriginTable: Sendable {
    struct Entry: Sendable {
        /// The origin's name; `nil`: the host itself.
        let name: String?
        let dialect: DialectName
        let unknown: UnknownParameters
    }

    /// What a host that no origin lists gets.
    let unlisted: Entry
    /// Open addressing: the hosts in lower case, and for each slot the host's place or -1.
    private let slots: [Int]
    private let hosts: [[UInt8]]
    private let entries: [Entry]

    init(_ rules: CanonicalRules) {
        unlisted = Entry(name: nil, dialect: rules.defaultDialect, unknown: .keepingAll)
        var known: [(host: [UInt8], entry: Entry)] = []
        for origin in rules.origins {
            let entry = Entry(
                name: origin.name,
                dialect: origin.dialect,
                unknown: UnknownParameters(origin)
            )
            for host in origin.hosts {
                let bytes = host.utf8.map(URLByte.lowercased)
                if !known.contains(where: { $0.host == bytes }) { known.append((bytes, entry)) }
            }
        }
        // A host that no origin lists but that is called like an origin must not share its keys.
        for origin in rules.origins {
            let bytes = Array(origin.name.utf8)
            guard !known.contains(where: { $0.host == bytes }) else { continue }
            let entry = Entry(
                name: "//" + origin.name,
                dialect: rules.defaultDialect,
                unknown: .keepingAll
            )
            known.append((bytes, entry))
        }
        var size = 8
        while size < known.count * 2 { size *= 2 }
        var slots = [Int](repeating: -1, count: size)
        for (place, item) in known.enumerated() {
            var slot = Self.hash(item.host.span, 0..<item.host.count) & (size - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = place
        }
        self.slots = slots
        hosts = known.map(\.host)
        entries = known.map(\.entry)
    }

    /// The origin of a host (in lower case, with its port where that is not the default).
    func entry(for bytes: borrowing Span<UInt8>, _ host: Range<Int>) -> Entry {
        guard !hosts.isEmpty else { return unlisted }
        var slot = Self.hash(bytes, host) & (slots.count - 1)
        while slots[slot] >= 0 {
            let place = slots[slot]
            if Self.equal(hosts[place], bytes, host) { return entries[place] }
            slot = (slot + 1) & (slots.count - 1)
        }
        return unlisted
    }

    private static func equal(
        _ known: [UInt8],
        _ bytes: borrowing Span<UInt8>,
        _ host: Range<Int>
    ) -> Bool {
        guard known.count == host.count else { return false }
        for offset in 0..<known.count where known[offset] != bytes[host.lowerBound + offset] {
            return false
        }
        return true
    }

    private static func hash(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Int {
        var hash: UInt32 = 2_166_136_261
        for index in range { hash = (hash ^ UInt32(bytes[index])) &* 16_777_619 }
        return Int(hash ^ (hash >> 15))
    }
}
