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

    /// A validator as it may be sent back; `nil` where it may not.
    ///
    /// What a server sends is not always what it would take: a control character would end the
    /// header, and what is very long no validator.
    package static func sendable(_ text: String?) -> String? {
        guard let text, !text.isEmpty, text.utf8.count <= longest,
            text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        return text
    }

    private static let longest = 1_024
}
