package import Digest

/// A digest that bytes must turn out to have, by a name for those who do not import Digest.
package typealias PromisedDigest = ContentDigest

extension Store {
    /// Whether bytes that are named by their SHA-256 have another digest, or that very one.
    ///
    /// - Parameters:
    ///   - promise: the digest.
    ///   - name: the SHA-256, hexadecimal.
    ///   - file: the file, which is read where the name does not tell; one that cannot be read has
    ///     no digest.
    /// - Returns: whether they have it for certain.
    package func keeps(_ promise: PromisedDigest, named name: String, file: String?) -> Bool {
        if promise.algorithm == .sha256 { return promise.hex == name }
        guard let file else { return false }
        return (try? Self.digest(of: path(of: file), promise.algorithm)) == promise
    }
}
