package import Digest
internal import System

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
        do {
            let reader = try FileReader(path(of: file))
            var hasher = try ContentHasher(promise.algorithm)
            var buffer = [UInt8](repeating: 0, count: 256 * 1024)
            while true {
                let count = try reader.read(into: &buffer)
                if count == 0 { break }
                hasher.update(buffer.span.extracting(..<count))
            }
            return hasher.finish() == promise
        } catch {
            return false
        }
    }
}
