/// A file that one process has written whole, and that another gives its name in the store.
///
/// Who may write to the store's temporary folder alone can make one; what it says of itself is held
/// against the file when the store adopts it.
package struct StagedFile: Hashable, Sendable, Codable {
    /// Its name in the temporary folder; `nil` where the store has the bytes already.
    package var temporaryName: String?
    /// SHA-256 of the bytes, lower-case hexadecimal.
    package var digest: String
    package var fileExtension: String
    package var bytes: Int

    package init(temporaryName: String?, digest: String, fileExtension: String, bytes: Int) {
        self.temporaryName = temporaryName
        self.digest = digest
        self.fileExtension = fileExtension
        self.bytes = bytes
    }
}
