internal import GearboxDatabase
internal import GearboxURL

/// Variants that their origin renders: each has a source of its own, whose original is its bytes.
extension StateDatabase {
    /// A variant of a source that has a file, made of the source's bytes or fetched.
    struct MadeKey: Sendable {
        var id: Int
        var key: String
        /// `nil`: the source's own bytes.
        var directives: Directives?
        var isWanted: Bool
    }

    /// The sources that the variants of a source have of their own.
    func remoteVariants(of source: Int) throws -> [SourceRow] {
        try database.all(Self.remoteVariants, .integer(source), read: SourceRow.init(row:))
    }

    /// Every variant of a source that has a file.
    func made(of source: Int, listing: Int) throws -> [MadeKey] {
        try database.all(Self.madeOfFamily, .integer(source), .integer(listing)) { row in
            let variant = VariantRow(row: row)
            return MadeKey(
                id: variant.id,
                key: variant.key,
                directives: variant.directives,
                isWanted: variant.isWanted
            )
        }
    }

    /// Has a variant's bytes come from another source than before.
    func setSource(_ source: Int, ofVariant id: Int) throws {
        try database.statement("UPDATE variant SET source_id = ?1 WHERE id = ?2").run(
            .integer(source),
            .integer(id)
        )
    }

    /// Whether any variant was ever fetched from its origin.
    func hasRemoteVariants() throws -> Bool {
        try database.first("SELECT 1 FROM source WHERE variant_of IS NOT NULL LIMIT 1") { _ in
            true
        } ?? false
    }

    /// Gives a source the variants that were fetched from its origin: from now on they are made of
    /// its bytes, and what was made of those before is not all there is.
    func takeRemoteVariants(of source: inout SourceRow) throws {
        try database.run(Self.takeVariants, .integer(source.id))
        if database.changedRows > 0 {
            try forgetRendering(ofSource: source.id)
            source.renderedVersion = nil
        }
        try database.run("DELETE FROM source WHERE variant_of = ?1", .integer(source.id))
    }

    private static let remoteVariants = """
        \(SourceRow.select)
        WHERE variant_of = ?1 ORDER BY source.id
        """

    private static let madeOfFamily = """
        SELECT \(VariantRow.askedColumns), wanted = ?2 FROM keyed_variant
        WHERE file IS NOT NULL AND source_id IN
            (SELECT ?1 UNION ALL SELECT id FROM source WHERE variant_of = ?1) ORDER BY id
        """

    private static let takeVariants = """
        UPDATE variant SET source_id = ?1
        WHERE source_id IN (SELECT id FROM source WHERE variant_of = ?1)
        """
}
