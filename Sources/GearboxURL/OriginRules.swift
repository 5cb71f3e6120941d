/// A group of hosts that serve the same paths, and how their URLs are read.
package struct OriginRules: Hashable, Sendable {
    package enum UnknownParameters: String, Sendable, CaseIterable, Hashable {
        case keep, drop
    }

    package var name: String
    /// Lower-case host names, with `:port` where it is not the scheme's default.
    package var hosts: [String]
    package var dialect: DialectName
    /// Parameter names to drop; `*` matches any run of bytes.
    package var drop: [String]
    /// Parameter names to keep where `unknown` is `drop`; `*` matches any run of bytes.
    package var keep: [String]
    package var unknown: UnknownParameters

    package init(
        name: String,
        hosts: [String],
        dialect: DialectName = .nos,
        drop: [String] = [],
        keep: [String] = [],
        unknown: UnknownParameters = .keep
    ) {
        self.name = name
        self.hosts = hosts
        self.dialect = dialect
        self.drop = drop
        self.keep = keep
        self.unknown = unknown
    }
}
