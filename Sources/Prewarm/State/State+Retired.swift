internal import GearboxDatabase
internal import GearboxIndex

/// Files that no row names any more. Triggers write them down when a row changes.
extension StateDatabase {
    func hasRetiredFiles() throws -> Bool {
        try database.first("SELECT EXISTS (SELECT 1 FROM retired)") { $0.flag(0) } ?? false
    }

    /// Whether some of them must go without waiting for an index.
    func hasFilesToRemoveAtOnce() throws -> Bool {
        try database.first("SELECT EXISTS (SELECT 1 FROM retired WHERE at_once = 1)") {
            $0.flag(0)
        } ?? false
    }

    /// Strikes those that a row names, from the list.
    ///
    /// - Returns: how many.
    func keepRetiredFilesOfRows() throws -> Int {
        try database.execute(Self.createNamed)
        try database.execute(Self.insertNamedByRows)
        try database.run("DELETE FROM retired WHERE file IN (SELECT file FROM temp.named)")
        let count = database.changedRows
        try database.run("DELETE FROM temp.named")
        return count
    }

    /// Notes those that an index names: they wait.
    func keepRetiredFiles(ofIndex path: String, alsoAtOnce: Bool) throws {
        try IndexSchema.check(Database(path: path, access: .immutable))
        try database.run("ATTACH ?1 AS named_by", .text(path))
        defer { try? database.execute("DETACH named_by") }
        try database.execute(alsoAtOnce ? Self.insertNamedByIndex : Self.insertNamedByEarlierIndex)
    }

    /// Whether an earlier index can be read; one of a newer gearbox counts as that.
    func canRead(index path: String) -> Bool {
        do {
            let index = try Database(path: path, access: .immutable)
            try IndexSchema.check(index)
            return try index.first("PRAGMA quick_check(1)") { $0.text(0) } == "ok"
        } catch let error as IndexError {
            return error.code == .wrongVersion
        } catch {
            return false
        }
    }

    /// Visits those that neither a row nor the published index names; nothing is struck.
    func forEachUnnamedRetiredFile(
        published: String?,
        _ body: (String) throws -> Void
    ) throws {
        try database.execute(Self.createNamed)
        try database.execute(Self.insertNamedByRows)
        if let published { try keepRetiredFiles(ofIndex: published, alsoAtOnce: true) }
        let files = try database.statement(Self.selectFree)
        try files.bind([.integer(-1)])
        defer { files.reset() }
        while try files.step() { try body(files.text(0)) }
    }

    /// The next of those that nothing names.
    func freeRetiredFiles(limit: Int) throws -> [String] {
        try database.all(Self.selectFree, .integer(limit)) { $0.text(0) }
    }

    /// Strikes what `freeRetiredFiles` has said with the same limit: not by its name, which is not the
    /// row's where a damaged row has no text.
    func forgetFreeRetiredFiles(limit: Int) throws {
        try database.run("DELETE FROM retired WHERE file IN (\(Self.selectFree))", .integer(limit))
    }

    /// Ends what `keepRetiredFilesOfRows` has begun.
    ///
    /// - Returns: how many still wait.
    func endRetiredFiles() throws -> Int {
        try database.execute("DELETE FROM temp.named")
        return try database.first("SELECT count(*) FROM retired") { $0.integer(0) } ?? 0
    }

    private static let createNamed = """
        CREATE TEMP TABLE IF NOT EXISTS named (file TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID;
        DELETE FROM temp.named
        """
    /// The rows are read through once: the list is short, and has an index.
    private static let insertNamedByRows = """
        INSERT OR IGNORE INTO temp.named SELECT file FROM main.variant AS v
        WHERE file IS NOT NULL AND EXISTS (SELECT 1 FROM main.retired AS r WHERE r.file = v.file);
        INSERT OR IGNORE INTO temp.named SELECT file FROM main.source AS s
        WHERE file IS NOT NULL AND EXISTS (SELECT 1 FROM main.retired AS r WHERE r.file = s.file)
        """
    private static let insertNamedByIndex = insertNamed(
        where: "EXISTS (SELECT 1 FROM main.retired AS r WHERE r.file = v.file)"
    )
    private static let insertNamedByEarlierIndex = insertNamed(
        where: """
            EXISTS (SELECT 1 FROM main.retired AS r WHERE r.file = v.file AND r.at_once = 0)
            """
    )

    private static func insertNamed(where condition: String) -> String {
        "INSERT OR IGNORE INTO temp.named SELECT file FROM named_by.variant AS v WHERE \(condition)"
    }

    private static let selectFree = """
        SELECT file FROM main.retired AS r
        WHERE NOT EXISTS (SELECT 1 FROM temp.named AS n WHERE n.file = r.file)
        ORDER BY file LIMIT ?1
        """
}
