/// What a data source said about the bytes it gave, to be asked by whether they have changed.
package struct Validators: Sendable, Hashable {
    package var entityTag: String?
    package var lastModified: String?
    package var cacheControl: String?
    /// For a file of a mirror: its size, time and inode in one text.
    package var fileStamp: String?

    package init(
        entityTag: String? = nil,
        lastModified: String? = nil,
        cacheControl: String? = nil,
        fileStamp: String? = nil
    ) {
        self.entityTag = entityTag
        self.lastModified = lastModified
        self.cacheControl = cacheControl
        self.fileStamp = fileStamp
    }
}
