internal import GearboxDatabase
internal import GearboxURL

/// A row of the index's `packed_form`: what the variants of many sources have alike.
struct PackedForm {
    /// A variant without what is its own: its key is only the ending, it has no size and no file.
    private let common: VariantRecord
    private let hasStem: Bool

    static let byIdentifier = """
        SELECT ending, mode, quality, format, enlarge, extra, animated, full_size, has_stem
        FROM packed_form WHERE id = ?1
        """

    init(row: Statement) {
        common = VariantRecord(
            key: row.text(0),
            mode: Mode(rawValue: row.text(1)),
            quality: row.integer(2),
            format: row.text(3),
            enlarge: row.flag(4),
            extra: row.text(5),
            size: nil,
            animated: row.flag(6),
            fullSize: row.flag(7),
            file: ""
        )
        hasStem = row.flag(8)
    }

    /// The variant of this form whose source's keys begin with a stem.
    func variant(stem: String, size: Size?) -> VariantRecord {
        var variant = common
        if hasStem { variant.key = stem + common.key }
        variant.size = size
        return variant
    }
}
