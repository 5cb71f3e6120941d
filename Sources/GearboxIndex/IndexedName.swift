/// A name under which an index has a file: the key of a variant, or an alias of one.
package struct IndexedName: Hashable, Sendable {
    /// The name of the origin.
    package var origin: String
    /// Begins at the path.
    package var key: String
    package var isAlias: Bool
    /// Relative to the cache directory.
    package var file: String
    package var bytes: Int
    /// The file's true format, as its extension.
    package var format: String

    package init(
        origin: String,
        key: String,
        isAlias: Bool = false,
        file: String,
        bytes: Int,
        format: String
    ) {
        self.origin = origin
        self.key = key
        self.isAlias = isAlias
        self.file = file
        self.bytes = bytes
        self.format = format
    }
}
