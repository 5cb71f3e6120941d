/// The stages of a run, in the order they run.
package enum Stage: String, Sendable, CaseIterable, Hashable, Comparable {
    /// Manifest lines into the state.
    case ingest
    /// Lines into requests: sources and the variants that URLs ask for.
    case canonicalize
    /// Which variants each source shall have.
    case plan
    /// Originals into `originals/`.
    case fetch
    /// Originals into variants.
    case render
    /// What is over the budgets out of the state.
    case evict
    /// The state into the next index, not yet visible.
    case index
    /// The next index in the last one's place.
    case publish

    package static func < (a: Stage, b: Stage) -> Bool { a.position < b.position }

    var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
