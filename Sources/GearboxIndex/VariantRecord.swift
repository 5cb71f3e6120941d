internal import GearboxDatabase
package import GearboxURL

/// A row of the index's `variant`: one rendering and its file.
package struct VariantRecord: Hashable, Sendable {
    package var key: String
    /// `nil` for the whole source and for opaque rows.
    package var mode: Mode?
    package var quality: Int
    /// The file's true format, as its extension.
    package var format: String
    package var enlarge: Bool
    package var extra: String
    /// In pixels; `nil` where it is not known.
    package var size: Size?
    package var animated: Bool
    /// The whole source, neither scaled nor cropped.
    package var fullSize: Bool
    /// Relative to the cache directory.
    package var file: String

    package init(
        key: String,
        mode: Mode?,
        quality: Int,
        format: String,
        enlarge: Bool = false,
        extra: String = "",
        size: Size?,
        animated: Bool = false,
        fullSize: Bool = false,
        file: String
    ) {
        self.key = key
        self.mode = mode
        self.quality = quality
        self.format = format
        self.enlarge = enlarge
        self.extra = extra
        self.size = size
        self.animated = animated
        self.fullSize = fullSize
        self.file = file
    }

    private static let columns = """
        v.key, v.mode, v.quality, v.format, v.enlarge, v.extra, v.width, v.height, v.animated,
        v.full_size, v.file
        """

    static let byKey = """
        SELECT \(columns) FROM variant AS v WHERE v.origin_id = ?1 AND v.key = ?2
        """

    static let bySource = """
        SELECT \(columns) FROM variant AS v WHERE v.source_id = ?1
        """

    static let byAlias = """
        SELECT \(columns) FROM alias AS a JOIN variant AS v ON v.id = a.variant_id
        WHERE a.origin_id = ?1 AND a.key = ?2
        """

    init(row: Statement) {
        key = row.text(0)
        mode = Mode(rawValue: row.text(1))
        quality = row.integer(2)
        format = row.text(3)
        enlarge = row.flag(4)
        extra = row.text(5)
        size = Size(width: row.integer(6), height: row.integer(7)).ifReal
        animated = row.flag(8)
        fullSize = row.flag(9)
        file = row.text(10)
    }
}
