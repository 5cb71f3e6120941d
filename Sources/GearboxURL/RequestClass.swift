/// How a URL may be treated.
package enum RequestClass: String, Sendable, CaseIterable, Hashable {
    /// Rewritten to its canonical form.
    case simple
    /// Must not be rewritten: fetched verbatim, stored under its own key, never related.
    case opaque
    /// Carries a signature: fetched verbatim.
    case signed
}
