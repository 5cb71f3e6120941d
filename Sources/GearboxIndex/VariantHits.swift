/// How often a variant was asked for.
package struct VariantHits: Hashable, Sendable {
    /// The name of the origin.
    package var origin: String
    package var key: String
    package var hits: Int

    package init(origin: String, key: String, hits: Int) {
        self.origin = origin
        self.key = key
        self.hits = hits
    }
}
