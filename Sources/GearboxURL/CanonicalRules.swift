/// The services whose URL grammar is known.
package enum DialectName: String, Sendable, CaseIterable, Hashable {
    /// NetEase NOS: `?imageView=1&thumbnail=100x100`.
    case nos
    /// No grammar: every parameter belongs to the source.
    case none
}

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

/// Everything that decides what a URL's canonical form is: stored in the index's `meta`, so that a
/// client canonicalises as the run did.
package struct CanonicalRules: Hashable, Sendable {
    package var sizes: SizeLadder
    package var qualities: QualityLadder
    package var origins: [OriginRules]
    /// For hosts of no origin.
    package var defaultDialect: DialectName
    /// The scheme of `//host/...`; `nil`: such a line is an error.
    package var defaultScheme: String?

    package init(
        sizes: SizeLadder = .standard,
        qualities: QualityLadder = .standard,
        origins: [OriginRules] = [],
        defaultDialect: DialectName = .nos,
        defaultScheme: String? = nil
    ) {
        self.sizes = sizes
        self.qualities = qualities
        self.origins = origins
        self.defaultDialect = defaultDialect
        self.defaultScheme = defaultScheme
    }
}
