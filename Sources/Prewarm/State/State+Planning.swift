internal import GearboxDatabase
internal import GearboxURL

/// What the lines of a listing ask of one source.
struct AskedSource: Sendable {
    /// Lines of one raw key.
    struct Request: Sendable {
        /// The place in the sorted order, from 1.
        var place: Int
        var source: Int
        var form: Int
        var aliasForm: Int?
        var lines: VariantLines
        var hits: Int
    }

    var id: Int
    /// In the order of their first lines.
    var requests: [Request]
}

/// A variant's row as the plan finds it.
struct PlannedVariant: Sendable {
    var id: Int
    var form: Int
    var source: Int
    var requested: Int
    var wanted: Int
}

/// How the lines of a listing ask for a variant.
struct VariantLines: Sendable {
    var count = 0
    /// 0 where none does.
    var firstEntry = 0

    mutating func add(_ other: VariantLines) {
        firstEntry = count == 0 ? other.firstEntry : min(firstEntry, other.firstEntry)
        count += other.count
    }
}

extension StateDatabase {
    /// Begins a plan: of every source that a URL names the bytes are wanted, and what an earlier plan
    /// of this listing has said is forgotten, as the pipeline's variants may be others now.
    func beginPlan(of listing: Int) throws {
        try forgetDone(from: .plan)
        if try setting(.planningListing) == String(listing) {
            try database.run("UPDATE variant SET wanted = 0 WHERE wanted = ?1", .integer(listing))
            try database.run(
                "UPDATE variant SET requested = 0 WHERE requested = ?1",
                .integer(listing)
            )
            try database.run(
                "UPDATE source SET wanted = 0 WHERE wanted = ?1 AND listing <> ?1",
                .integer(listing)
            )
        }
        try database.run(
            "UPDATE source SET wanted = ?1 WHERE listing = ?1 AND wanted <> ?1",
            .integer(listing)
        )
        try set(.planningListing, to: String(listing))
    }

    /// The first listing that is canonicalised by these rules, without others between.
    func rulesSince(_ rules: CanonicalRules, listing: Int) throws -> Int {
        var hash = StableHash()
        hash.add("\(rules)")
        let name = String(hash.value)
        if try setting(.rules) != name {
            try set(.rules, to: name)
            try set(.rulesSince, to: String(listing))
        }
        return Int(try setting(.rulesSince) ?? "") ?? listing
    }

    /// Counts the lines of the listing in the order of their sources, beside the state: by SQLite's own
    /// sorting, which keeps on the disk what is too much for the memory.
    func sortRequests() throws {
        try database.execute(
            """
            DROP TABLE IF EXISTS temp.sorted_request;
            CREATE TEMP TABLE sorted_request AS
            SELECT source_id, form_id, alias_form_id, count(*) AS lines,
                min(entry_id) AS entry_id, sum(hits) AS hits
            FROM request GROUP BY source_id, form_id, alias_form_id
            """
        )
    }

    func dropSortedRequests() throws {
        try database.execute("DROP TABLE IF EXISTS temp.sorted_request")
    }

    func sortedRequests(after place: Int, limit: Int) throws -> [AskedSource.Request] {
        try database.all(Self.sortedAfter, .integer(place), .integer(limit)) { row in
            AskedSource.Request(
                place: row.integer(0),
                source: row.integer(1),
                form: row.integer(2),
                aliasForm: row.optionalInteger(3),
                lines: VariantLines(count: row.integer(4), firstEntry: row.integer(5)),
                hits: row.integer(6)
            )
        }
    }

    /// The variants of a source, also those that are fetched.
    func plannedVariants(
        ofSource source: Int,
        withRemote hasRemote: Bool
    ) throws -> [PlannedVariant] {
        let query = hasRemote ? Self.variantsOfFamily : Self.variantsOfOne
        return try database.all(query, .integer(source)) { row in
            PlannedVariant(
                id: row.integer(0),
                form: row.integer(1),
                source: row.integer(2),
                requested: row.integer(3),
                wanted: row.integer(4)
            )
        }
    }

    func insert(_ variant: PlannedVariant, _ lines: VariantLines) throws -> Int {
        let statement = try database.statement(Self.insertVariant)
        try statement.bind(variant.source, at: 1)
        try statement.bind(variant.form, at: 2)
        try statement.bind(variant.requested, at: 3)
        try statement.bind(variant.wanted, at: 4)
        try statement.bind(lines.count, at: 5)
        try statement.bind(lines.firstEntry, at: 6)
        defer { statement.reset() }
        _ = try statement.step()
        return database.lastInsertedRow
    }

    /// Its source stays, which an index would have to be written for.
    func update(_ variant: PlannedVariant, _ lines: VariantLines) throws {
        let statement = try database.statement(Self.updateVariant)
        try statement.bind(variant.requested, at: 1)
        try statement.bind(variant.wanted, at: 2)
        try statement.bind(lines.count, at: 3)
        try statement.bind(lines.firstEntry, at: 4)
        try statement.bind(variant.id, at: 5)
        defer { statement.reset() }
        _ = try statement.step()
    }

    /// The variants that the raw keys of a source lead to by the rules that are in force since a
    /// listing.
    func aliases(ofSource source: Int, since listing: Int) throws -> [Int: Int] {
        let aliases = try database.all(Self.aliasesOfSource, .integer(source), .integer(listing)) {
            ($0.integer(0), $0.integer(1))
        }
        return Dictionary(aliases) { first, _ in first }
    }

    /// Has a raw key of a source lead to a variant, by rules that are in force since a listing.
    ///
    /// - Returns: whether that is new to the next index, which has no name for what is not made.
    func setAlias(source: Int, aliasForm: Int, variant: Int, since: Int) throws -> Bool {
        let statement = try database.statement(Self.upsertAlias)
        try statement.bind(source, at: 1)
        try statement.bind(aliasForm, at: 2)
        try statement.bind(variant, at: 3)
        try statement.bind(since, at: 4)
        defer { statement.reset() }
        return try statement.step() && statement.flag(0)
    }

    private static let sortedAfter = """
        SELECT rowid, source_id, form_id, alias_form_id, lines, entry_id, hits FROM temp.sorted_request
        WHERE rowid > ?1 ORDER BY rowid LIMIT ?2
        """
    private static let planned = """
        SELECT id, form_id, source_id, requested, wanted FROM variant
        """
    private static let variantsOfOne = "\(planned) WHERE source_id = ?1 ORDER BY id"
    private static let variantsOfFamily = """
        \(planned) WHERE source_id IN
            (SELECT ?1 UNION ALL SELECT id FROM source WHERE variant_of = ?1) ORDER BY id
        """
    private static let insertVariant = """
        INSERT INTO variant (source_id, form_id, requested, wanted, lines, first_entry)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        """
    private static let updateVariant = """
        UPDATE variant SET requested = ?1, wanted = ?2, lines = ?3, first_entry = ?4 WHERE id = ?5
        """
    private static let aliasesOfSource = """
        SELECT alias_form_id, variant_id FROM alias WHERE source_id = ?1 AND since = ?2
        """
    private static let upsertAlias = """
        INSERT INTO alias (source_id, alias_form_id, variant_id, since) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (source_id, alias_form_id) DO UPDATE SET variant_id = excluded.variant_id,
            since = excluded.since
        WHERE variant_id <> excluded.variant_id OR since <> excluded.since
        RETURNING (SELECT file IS NOT NULL FROM variant WHERE id = variant_id)
        """
}
