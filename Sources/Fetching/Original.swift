package import Store

/// The bytes of a source, as they came.
package struct Original: Sendable, Hashable {
    /// In the store of originals.
    package var file: String
    /// SHA-256, hexadecimal.
    package var digest: String
    package var bytes: Int
    /// Told by the bytes.
    package var format: FileFormat
    package var validators: Validators
    /// Where the bytes came from, after redirects; for a mirror the URL that was asked for.
    package var finalURL: String
    package var attempts: Int
}
