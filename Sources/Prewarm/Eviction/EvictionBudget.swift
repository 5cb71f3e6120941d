/// How much of what was made is kept.
package struct EvictionBudget: Sendable, Hashable {
    /// Bytes of all variants' files; `nil`: no bound.
    package var maxBytes: Int?
    /// A source that no manifest has named for so long goes; `nil`: however long.
    package var maxAgeSeconds: Int?

    package init(maxBytes: Int? = nil, maxAgeSeconds: Int? = nil) {
        self.maxBytes = maxBytes
        self.maxAgeSeconds = maxAgeSeconds
    }
}
