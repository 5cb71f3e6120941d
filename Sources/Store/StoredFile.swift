/// A file of the store, by the name that rows and indexes keep.
package struct StoredFile: Hashable, Sendable {
    /// Relative to the cache directory: `store/ab/abcd....webp`.
    package var file: String
    /// SHA-256 of the bytes, lower-case hexadecimal.
    package var digest: String
    package var bytes: Int

    package init(file: String, digest: String, bytes: Int) {
        self.file = file
        self.digest = digest
        self.bytes = bytes
    }
}
