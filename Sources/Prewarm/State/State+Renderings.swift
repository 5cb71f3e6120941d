internal import GearboxDatabase
internal import GearboxURL

/// A rendering of equal bytes into equal variants, made for another source.
extension StateDatabase {
    /// What another source has, for the variants of this one.
    ///
    /// - Parameters:
    ///   - version: of the original's bytes.
    ///   - set: the name of all that is rendered of it at once.
    ///   - source: the one that wants it.
    ///   - rows: its variants.
    /// - Returns: the rendering under the names of `rows`; `nil` where no other has all of it.
    /// - Throws: where the state cannot be read.
    func rendering(
        of version: String,
        set: String,
        notOf source: Int,
        for rows: [VariantRow]
    ) throws -> SourceOutcome.Rendering? {
        let found = try database.first(
            Self.sourceOfRendering,
            .text(version),
            .text(set),
            .integer(source)
        ) { row in
            (
                source: row.integer(0),
                rendering: SourceOutcome.Rendering(
                    version: version,
                    set: set,
                    format: row.text(1),
                    bytes: row.integer(2),
                    size: Size(width: row.integer(3), height: row.integer(4)),
                    animated: row.flag(5),
                    alpha: row.flag(6)
                )
            )
        }
        guard let found else { return nil }
        let others = try made(ofSource: found.source, version: version)
        let known = Dictionary(others) { first, _ in first }
        var rendering = found.rendering
        for row in rows {
            guard var made = known[row.directives] else { return nil }
            made.id = row.id
            rendering.made.append(made)
        }
        return rendering
    }

    private func made(
        ofSource source: Int,
        version: String
    ) throws -> [(Directives?, MadeVariant)] {
        try database.all(Self.madeOfSource, .integer(source), .text(version)) { row in
            let variant = VariantRow(row: row)
            let made = MadeVariant(
                id: variant.id,
                format: row.text(18),
                work: row.text(15),
                size: row.optionalInteger(20).map {
                    Size(width: $0, height: row.integer(21))
                },
                animated: row.flag(22),
                fullSize: row.flag(23),
                bytes: row.integer(17),
                file: row.text(16)
            )
            return (variant.directives, made)
        }
    }

    private static let sourceOfRendering = """
        SELECT id, rendered_format, rendered_bytes, width, height, animated, alpha FROM source
        WHERE rendered_version = ?1 AND rendered_set = ?2 AND id <> ?3 LIMIT 1
        """

    private static let isOriginal = """
        original OR (SELECT variant_of IS NOT NULL FROM source WHERE id = ?1)
        """

    private static let madeOfSource = """
        SELECT \(VariantRow.columns(isOriginal: isOriginal)), 0, width, height, animated, full_size
        FROM keyed_variant
        WHERE source_id = ?1 AND version = ?2 AND file IS NOT NULL
        """
}
