/// Turns a URL into its canonical form.
///
/// Byte level, no Foundation.
package struct Canonicalizer: Sendable {
    package let rules: CanonicalRules

    package init(rules: CanonicalRules) { self.rules = rules }
}
