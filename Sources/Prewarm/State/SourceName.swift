/// What tells one source from another.
struct SourceName: Sendable {
    /// The origin's row.
    var origin: Int
    var path: String
    var kind: Kind

    enum Kind: Int, Sendable {
        case simple
        case opaque
        /// A variant that its origin renders.
        case remoteVariant
    }

    /// The number it is found by.
    var nameHash: Int {
        var hash = StableHash()
        hash.add(UInt64(truncatingIfNeeded: origin &* 4 &+ kind.rawValue))
        hash.add(path)
        return Int(truncatingIfNeeded: hash.value)
    }
}
