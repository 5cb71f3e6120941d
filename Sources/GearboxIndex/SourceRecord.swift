internal import GearboxDatabase
package import GearboxURL

/// A row of the index's `source`: what reuse needs to know of the original.
package struct SourceRecord: Hashable, Sendable {
    package var id: Int
    /// In pixels, after orientation; `nil` where the original was never seen here.
    package var size: Size?
    package var animated: Bool
    package var alpha: Bool
    /// The original's true format, as its file extension.
    package var format: String
    package var stale: Bool

    package init(
        id: Int,
        size: Size?,
        animated: Bool,
        alpha: Bool,
        format: String,
        stale: Bool = false
    ) {
        self.id = id
        self.size = size
        self.animated = animated
        self.alpha = alpha
        self.format = format
        self.stale = stale
    }

    static let byPath = """
        SELECT id, width, height, animated, alpha, format, stale, stem FROM packed_source
        WHERE origin_id = ?1 AND path = ?2
        """

    init(row: Statement) {
        id = row.integer(0)
        size = Size(width: row.integer(1), height: row.integer(2)).ifReal
        animated = row.flag(3)
        alpha = row.flag(4)
        format = row.text(5)
        stale = row.flag(6)
    }
}

extension Size {
    /// `nil` where a column says NULL, which reads as 0, or what no picture can have.
    var ifReal: Size? { width > 0 && height > 0 ? self : nil }
}
