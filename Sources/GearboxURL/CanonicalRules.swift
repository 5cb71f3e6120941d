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
