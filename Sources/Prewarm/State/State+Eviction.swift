internal import GearboxDatabase

/// A source that has files, as an eviction comes to it.
struct EvictionCandidate: Sendable {
    var id: Int
    /// The last listing that named it.
    var listing: Int
}

/// What goes, in temporary tables, so that memory does not grow with the store.
extension StateDatabase {
    /// Bytes of the variants' files; equal files count for each variant.
    func variantBytes() throws -> Int {
        try database.first("SELECT coalesce(sum(bytes), 0) FROM variant WHERE file IS NOT NULL") {
            $0.integer(0)
        } ?? 0
    }

    func hasSources(notSeenSince oldest: Int) throws -> Bool {
        let sql =
            """
            SELECT EXISTS (SELECT 1 FROM source AS s
                WHERE variant_of IS NULL AND seen_at < ?1 AND \(Self.hasFiles))
            """
        return try database.first(sql, .integer(oldest)) { $0.flag(0) } ?? false
    }

    func beginEviction() throws { try database.execute(Self.createChosen) }

    /// Counts for each file the sources that have it.
    func countOwners() throws { try database.execute(Self.createOwned) }

    /// Bytes of the files, each counted once.
    func ownedBytes() throws -> Int {
        try database.first("SELECT coalesce(sum(bytes), 0) FROM temp.owned") { $0.integer(0) } ?? 0
    }

    /// Visits the sources that have files, in the order in which they go, until `body` says false.
    func forEachCandidate(
        notSeenSince oldest: Int? = nil,
        _ body: (EvictionCandidate) throws -> Bool
    ) throws {
        let statement = try database.statement(
            oldest == nil ? Self.candidates : Self.oldCandidates
        )
        try statement.bind(oldest.map { [.integer($0)] } ?? [])
        defer { statement.reset() }
        while try statement.step() {
            let candidate = EvictionCandidate(
                id: statement.integer(0),
                listing: statement.integer(1)
            )
            guard try body(candidate) else { return }
        }
    }

    /// Visits the made variants that a listing did not ask for of sources that it names, those first
    /// that were wanted longest ago, until `body` says false; also those that an origin has rendered.
    func forEachSuperseded(
        in listing: Int,
        _ body: (_ variant: Int) throws -> Bool
    ) throws {
        let statement = try database.statement(Self.superseded)
        try statement.bind([.integer(listing)])
        defer { statement.reset() }
        while try statement.step() {
            guard try body(statement.integer(0)) else { return }
        }
    }

    /// Has a variant go, and its source stay.
    ///
    /// - Returns: the bytes of its file where nobody else has that.
    func chooseVariant(_ id: Int) throws -> Int {
        try database.run("INSERT INTO temp.chosen_variant (id) VALUES (?1)", .integer(id))
        try database.run(Self.disownVariant, .integer(id))
        return try database.first(Self.bytesFreedByVariant, .integer(id)) { $0.integer(0) } ?? 0
    }

    func chosenVariants(limit: Int) throws -> [Int] {
        let sql = "SELECT id FROM temp.chosen_variant ORDER BY id LIMIT ?1"
        return try database.all(sql, .integer(limit)) { $0.integer(0) }
    }

    /// The next index does not have it, and it is due again where it is wanted again.
    func evictVariant(_ id: Int) throws {
        try forgetFile(ofVariant: id)
        try database.run("DELETE FROM temp.chosen_variant WHERE id = ?1", .integer(id))
    }

    /// Has a source go.
    ///
    /// - Returns: how many variants go with it, and the bytes of the files that nobody else has.
    func choose(_ source: Int) throws -> (variants: Int, bytes: Int) {
        let variants = try database.first(Self.countVariants, .integer(source)) { $0.integer(0) }
        try database.run("INSERT INTO temp.chosen (id) VALUES (?1)", .integer(source))
        try database.run(Self.disown, .integer(source))
        let bytes = try database.first(Self.freedBytes, .integer(source)) { $0.integer(0) }
        return (variants ?? 0, bytes ?? 0)
    }

    /// Visits the files that nobody has when all that was chosen is gone.
    func forEachFreedFile(_ body: (_ file: String, _ bytes: Int) throws -> Void) throws {
        try database.forEach("SELECT file, bytes FROM temp.owned WHERE owners = 0") {
            try body($0.text(0), $0.integer(1))
        }
    }

    func chosenSources(limit: Int) throws -> [Int] {
        try database.all("SELECT id FROM temp.chosen ORDER BY id LIMIT ?1", .integer(limit)) {
            $0.integer(0)
        }
    }

    /// Forgets what was made of a source: the next index does not have it, and it is due again where
    /// it is wanted again.
    ///
    /// It is written down which run has done that; 0 is none.
    func evict(_ source: Int, run: Int) throws {
        try database.run(Self.forgetFiles, .integer(source))
        try database.run(Self.forgetRendering, .integer(source), .integer(run == 0 ? -1 : run))
        try database.run("DELETE FROM temp.chosen WHERE id = ?1", .integer(source))
        try noteFilesForgotten()
    }

    /// Forgets sources that were evicted, and that no night since has named.
    func forgetEvicted(before night: Int) throws {
        for statement in [Self.forgetAliases, Self.forgetVariants, Self.forgetSources] {
            try database.run(statement, .integer(night))
        }
    }

    /// A source and those that its variants have of their own, where their origin renders.
    static let family = "(SELECT ?1 UNION ALL SELECT id FROM main.source WHERE variant_of = ?1)"

    private static let hasFiles = """
        (EXISTS (SELECT 1 FROM variant AS v WHERE v.source_id = s.id AND v.file IS NOT NULL)
        OR EXISTS (SELECT 1 FROM source AS r JOIN variant AS v ON v.source_id = r.id
            WHERE r.variant_of = s.id AND v.file IS NOT NULL))
        """
    private static let createChosen = """
        CREATE TEMP TABLE IF NOT EXISTS chosen (id INTEGER PRIMARY KEY);
        CREATE TEMP TABLE IF NOT EXISTS chosen_variant (id INTEGER PRIMARY KEY);
        DELETE FROM temp.chosen; DELETE FROM temp.chosen_variant
        """
    private static let createOwned = """
        DROP TABLE IF EXISTS temp.owned;
        CREATE TEMP TABLE owned (file TEXT PRIMARY KEY NOT NULL, bytes INTEGER NOT NULL,
            owners INTEGER NOT NULL) WITHOUT ROWID;
        INSERT INTO temp.owned
        SELECT v.file, max(v.bytes), count(DISTINCT coalesce(s.variant_of, s.id))
        FROM main.variant AS v JOIN main.source AS s ON s.id = v.source_id
        WHERE v.file IS NOT NULL GROUP BY v.file ORDER BY v.file
        """
    private static let candidates = """
        SELECT id, listing FROM source AS s
        WHERE variant_of IS NULL AND \(hasFiles) AND id NOT IN (SELECT id FROM temp.chosen)
        ORDER BY \(EvictionRecord.order)
        """
    private static let oldCandidates = """
        SELECT id, listing FROM source AS s
        WHERE variant_of IS NULL AND seen_at < ?1 AND \(hasFiles) ORDER BY \(EvictionRecord.order)
        """
    private static let superseded = """
        SELECT v.id FROM variant AS v JOIN source AS b ON b.id = v.source_id
            JOIN source AS s ON s.id = coalesce(b.variant_of, b.id)
        WHERE s.listing = ?1 AND v.wanted <> ?1 AND v.file IS NOT NULL
            AND s.id NOT IN (SELECT id FROM temp.chosen)
        ORDER BY v.wanted, v.id
        """
    private static let fileOfVariant = "(SELECT file FROM main.variant WHERE id = ?1)"
    private static let disownVariant = """
        UPDATE temp.owned SET owners = owners - 1
        WHERE file = \(fileOfVariant) AND NOT EXISTS (
            SELECT 1 FROM main.variant AS v JOIN main.source AS b ON b.id = v.source_id
                JOIN main.source AS s ON s.id = coalesce(b.variant_of, b.id)
                    OR s.variant_of = coalesce(b.variant_of, b.id)
                JOIN main.variant AS o ON o.source_id = s.id AND o.file = v.file
            WHERE v.id = ?1 AND o.id NOT IN (SELECT id FROM temp.chosen_variant))
        """
    private static let bytesFreedByVariant = """
        SELECT bytes FROM temp.owned WHERE file = \(fileOfVariant) AND owners = 0
        """
    /// Those of a source that go with it, and not before it.
    private static let variantsOfSource = """
        FROM main.variant WHERE source_id IN \(family) AND file IS NOT NULL
        AND id NOT IN (SELECT id FROM temp.chosen_variant)
        """
    private static let countVariants = "SELECT count(*) \(variantsOfSource)"
    private static let filesOfSource = "SELECT DISTINCT file \(variantsOfSource)"
    private static let disown = """
        UPDATE temp.owned SET owners = owners - 1 WHERE file IN (\(filesOfSource))
        """
    private static let freedBytes = """
        SELECT coalesce(sum(bytes), 0) FROM temp.owned
        WHERE owners = 0 AND file IN (\(filesOfSource))
        """
    private static let forgetFiles = """
        UPDATE variant SET version = NULL, file = NULL, bytes = NULL
        WHERE source_id IN \(family) AND file IS NOT NULL
        """
    private static let forgetRendering = """
        UPDATE source SET rendered_version = NULL, rendered_set = NULL, stale = 0, evicted = ?2
        WHERE id IN \(family)
        """
    /// One that was evicted and made again since has files.
    private static let forgotten = """
        SELECT id FROM source AS s WHERE evicted <> 0 AND NOT \(hasFiles)
        AND coalesce((SELECT night FROM source AS o WHERE o.id = s.variant_of), night) < ?1
        """
    private static let forgetAliases = """
        DELETE FROM alias WHERE variant_id IN
            (SELECT id FROM variant WHERE source_id IN (\(forgotten)))
        """
    private static let forgetVariants = "DELETE FROM variant WHERE source_id IN (\(forgotten))"
    private static let forgetSources = "DELETE FROM source WHERE id IN (\(forgotten))"
}
