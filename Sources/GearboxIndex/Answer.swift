/// What an index says to a request.
package enum Answer: Hashable, Sendable {
    /// The requested variant itself.
    case exact(VariantRecord)
    /// Another variant of the same source, and what to do to it.
    case reuse(VariantRecord, Recipe)
    /// The URL as given is the name of an older or another spelling's variant.
    case alias(VariantRecord)
    case miss
}
