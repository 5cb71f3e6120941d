/// A format that a variant can be written in.
///
/// The raw value is the word in URLs and in the index.
package enum OutputFormat: String, Sendable, CaseIterable, Hashable {
    case jpg, png, webp, gif, avif
}
