/// Why a URL must not be rewritten.
enum OpaqueReason: Sendable, Hashable {
    /// A `|` or `%7C` in the query: a pipeline of operations.
    case pipeline
    /// A second `?` in the query.
    case secondQuery
    /// An operation whose result is no plain resize of the source.
    case operation
    /// A directive given twice with different meanings.
    case conflict
    /// A directive whose value is not in the grammar.
    case value
}
