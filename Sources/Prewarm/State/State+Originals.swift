internal import GearboxDatabase

/// The originals that are held, as an eviction sees them.
extension StateDatabase {
    /// Bytes of the originals that rows know of, whether they are there or not.
    func originalBytes() throws -> Int {
        try database.first("SELECT coalesce(sum(bytes), 0) FROM source WHERE file IS NOT NULL") {
            $0.integer(0)
        } ?? 0
    }

    func beginOriginals() throws { try database.execute(Self.createOriginals) }

    func addOriginal(_ file: String, bytes: Int) throws {
        try database.statement("INSERT INTO temp.original (file, bytes) VALUES (?1, ?2)").run(
            .text(file),
            .integer(bytes)
        )
    }

    /// Bytes of those that are there.
    func heldOriginalBytes() throws -> Int {
        try database.first("SELECT coalesce(sum(bytes), 0) FROM temp.original") {
            $0.integer(0)
        } ?? 0
    }

    /// Visits them in the order in which they go, until `body` says false: first those that no source
    /// has, then as their sources go; one that several have goes with the last of them.
    func forEachOriginal(_ body: (_ file: String, _ bytes: Int) throws -> Bool) throws {
        try database.execute(Self.rankOriginals)
        let statement = try database.statement(Self.originalsInOrder)
        try statement.bind([])
        defer { statement.reset() }
        while try statement.step() {
            guard try body(statement.text(0), statement.integer(1)) else { return }
        }
    }

    private static let createOriginals = """
        DROP TABLE IF EXISTS temp.original;
        CREATE TEMP TABLE original (file TEXT PRIMARY KEY NOT NULL, bytes INTEGER NOT NULL)
            WITHOUT ROWID
        """
    private static let rankOriginals = """
        DROP TABLE IF EXISTS temp.ranked;
        CREATE TEMP TABLE ranked (rank INTEGER PRIMARY KEY, file TEXT NOT NULL);
        INSERT INTO temp.ranked (file) SELECT held.file
        FROM (SELECT file, coalesce(variant_of, id) AS source FROM main.source
            WHERE file IS NOT NULL) AS held JOIN main.source ON source.id = held.source
        ORDER BY \(EvictionRecord.order)
        """
    private static let originalsInOrder = """
        SELECT o.file, o.bytes FROM temp.original AS o
        LEFT JOIN (SELECT file, max(rank) AS rank FROM temp.ranked GROUP BY file) AS r
            ON r.file = o.file
        ORDER BY coalesce(r.rank, 0), o.file
        """
}
