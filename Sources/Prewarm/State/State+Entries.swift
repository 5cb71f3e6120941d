internal import GearboxDatabase
internal import GearboxURL
internal import Manifests

/// A line of the current listing as the canonicalize stage reads it.
struct EntryRow {
    var id: Int
    var url: String
    var hash: String?
    var hits: Int
}

extension StateDatabase {
    /// Starts a new listing: the lines of the last one go, what was made stays.
    func beginListing() throws {
        let next = try listing() + 1
        try forgetDone()
        try database.execute("DELETE FROM entry; DELETE FROM manifest; DELETE FROM request")
        try set(.listing, to: String(next))
        try set(.isIngested, to: "0")
    }

    /// Begins another night, unless the last one has not come to its end.
    ///
    /// - Returns: whether it is another.
    func beginNight() throws -> Bool {
        guard try setting(.isNightDone) != "0" else { return false }
        try set(.night, to: String(night() + 1))
        try set(.isNightDone, to: "0")
        return true
    }

    func endListing() throws { try set(.isIngested, to: "1") }

    func insertManifest(path: String) throws -> Int {
        try database.run("INSERT INTO manifest (path) VALUES (?1)", .text(path))
        return database.lastInsertedRow
    }

    func insert(_ entry: ManifestEntry, manifest: Int) throws {
        try database.statement(Self.insertEntry).run(
            .integer(manifest),
            .integer(entry.line),
            .text(entry.url),
            .text(entry.hash),
            .integer(entry.hits),
            nil,
            nil
        )
    }

    /// Takes a line down that ends here: it is canonicalised by no rule.
    func insert(_ problem: LineProblem, line: Int, url: String = "", manifest: Int) throws {
        try database.statement(Self.insertEntry).run(
            .integer(manifest),
            .integer(line),
            .text(url),
            nil,
            0,
            .text(problem.code),
            .text(problem.message)
        )
    }

    /// The next lines after `id` that have no problem, in manifest order.
    func entries(after id: Int, limit: Int) throws -> [EntryRow] {
        try database.all(Self.entriesAfter, .integer(id), .integer(limit)) {
            EntryRow(
                id: $0.integer(0),
                url: $0.text(1),
                hash: $0.optionalText(2),
                hits: $0.integer(3)
            )
        }
    }

    /// Notes what a line asks for, and by which other name; lines come in their order.
    func insertRequest(entry: EntryRow, source: Int, form: Int, aliasForm: Int?) throws {
        try database.statement(Self.insertRequest).run(
            .integer(entry.id),
            .integer(source),
            .integer(form),
            .integer(aliasForm),
            .integer(entry.hits)
        )
    }

    func setProblem(_ code: String, _ message: String, ofEntry entry: Int) throws {
        try database.statement(Self.updateEntryProblem).run(
            .text(code),
            .text(message),
            .integer(entry)
        )
    }

    /// Forgets what an earlier canonicalisation of this listing found, also one that did not come to
    /// its end: the rules may be others now.
    func clearCanonicalisation(of listing: Int) throws {
        try database.run(
            "UPDATE source SET listing = 0, wanted = 0 WHERE listing = ?1",
            .integer(listing)
        )
        try set(.plannedListing, to: "0")
        try forgetDone(from: .canonicalize)
        try database.execute(
            """
            DELETE FROM request;
            UPDATE entry SET problem_code = NULL, problem = NULL WHERE problem_code IS NOT NULL
                AND problem_code NOT IN ('\(LineProblem.badCode)', '\(LineProblem.dataCode)')
            """
        )
    }

    private static let insertEntry = """
        INSERT INTO entry (manifest_id, line, url, hash, hits, problem_code, problem)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        """
    private static let entriesAfter = """
        SELECT id, url, hash, hits FROM entry WHERE id > ?1 AND problem_code IS NULL ORDER BY id LIMIT ?2
        """
    private static let insertRequest = """
        INSERT INTO request (entry_id, source_id, form_id, alias_form_id, hits)
        VALUES (?1, ?2, ?3, ?4, ?5)
        """
    private static let updateEntryProblem = """
        UPDATE entry SET problem_code = ?1, problem = ?2 WHERE id = ?3
        """
}
