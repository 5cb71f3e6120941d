internal import GearboxDatabase
internal import GearboxURL

/// Variants that their origin renders: each has a source of its own, whose original is its bytes.
extension StateDatabase {
    /// A variant of a source that has a file, made of the source's bytes or fetched.
    struct MadeKey: Sendable {
        var key: String
        /// `nil`: the source's own bytes.
        var directives: Directives?
        var isWanted: Bool
    }

    /// Notes that the bytes of a source's variant are wanted.
    ///
    /// - Returns: the row of the variant's own source.
    func wantRemote(key: String, url: String, of source: SourceRow, listing: Int) throws -> Int {
        let statement = try database.statement(Self.upsertRemote)
        try statement.bind([
            .integer(source.originID), .text(key), .text(url), .text(source.host),
            .integer(source.id), .integer(listing),
        ])
        defer { statement.reset() }
        guard try statement.step() else {
            preconditionFailure("an upsert with RETURNING gives a row")
        }
        return statement.integer(0)
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
                key: variant.key,
                directives: variant.directives,
                isWanted: variant.isWanted
            )
        }
    }

    /// Has a variant's bytes come from another source than before.
    func setSource(_ source: Int, ofKey key: String, origin: Int) throws {
        try database.statement(Self.updateSource).run(
            .integer(source),
            .integer(origin),
            .text(key)
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

    private static let upsertRemote = """
        INSERT INTO source (origin_id, path, opaque, url, host, listing, variant_of, wanted)
        VALUES (?1, ?2, 2, ?3, ?4, 0, ?5, ?6)
        ON CONFLICT (origin_id, path, opaque) DO UPDATE SET
            url = excluded.url, host = excluded.host, variant_of = excluded.variant_of,
            wanted = excluded.wanted
        RETURNING id
        """

    private static let remoteVariants = """
        \(SourceRow.select)
        WHERE variant_of = ?1 ORDER BY source.id
        """

    private static let madeOfFamily = """
        SELECT \(VariantRow.askedColumns), wanted = ?2 FROM variant
        WHERE file IS NOT NULL AND source_id IN
            (SELECT ?1 UNION ALL SELECT id FROM source WHERE variant_of = ?1) ORDER BY id
        """

    private static let updateSource = """
        UPDATE variant SET source_id = ?1 WHERE origin_id = ?2 AND key = ?3
        """

    private static let takeVariants = """
        UPDATE variant SET source_id = ?1
        WHERE source_id IN (SELECT id FROM source WHERE variant_of = ?1)
        """
}
