internal import GearboxDatabase
internal import GearboxIndex

/// A file that a row or the published index names.
struct NamedFile: Sendable {
    var file: String
    var bytes: Int
    var isPublished: Bool
}

/// All files that are named, and what a verification finds of them: in temporary tables, which lie on
/// the disk, so that memory does not grow with the store.
extension StateDatabase {
    /// What is wrong with the published index; `nil` where nothing is, or none was ever published.
    ///
    /// - Throws: where it is of another version of gearbox: nobody but that may replace it.
    func faultOfIndex(_ path: String) throws -> String? {
        do {
            let index = try Database(path: path, access: .immutable)
            let words = try index.first("PRAGMA quick_check(1)") { $0.text(0) }
            if let words, words != "ok" { return words }
            try IndexSchema.check(index)
            _ = try IndexMeta(from: index)
            return nil
        } catch let error as IndexError {
            if error.code == .wrongVersion { throw error }
            return error.message
        } catch let error as DatabaseError {
            if error.code == .cannotOpen {
                return try setting(.generation) == nil ? nil : "it is not there"
            }
            guard error.code == .corrupt || error.code == .notADatabase else { throw error }
            return error.message
        }
    }

    /// Fills the table of files.
    func nameFiles(published: String?, earlier: [String]) throws {
        try database.execute(Self.createTables)
        if let published {
            try database.run("ATTACH ?1 AS named_by", .text(published))
            defer { try? database.execute("DETACH named_by") }
            try database.execute(Self.insertPublished)
        }
        try database.execute(Self.insertOfRows)
        for path in earlier {
            // One that cannot be read answers nobody.
            guard (try? database.run("ATTACH ?1 AS named_by", .text(path))) != nil else { continue }
            defer { try? database.execute("DETACH named_by") }
            try? database.execute(Self.insertEarlier)
        }
    }

    /// The next files after `file` that have to be there.
    func namedFiles(after file: String, limit: Int) throws -> [NamedFile] {
        try database.all(Self.selectNamed, .text(file), .integer(limit)) { row in
            NamedFile(file: row.text(0), bytes: row.integer(1), isPublished: row.flag(2))
        }
    }

    /// All names in a folder of the store.
    func names(in folder: String) throws -> Set<String> {
        Set(
            try database.all(Self.selectNames, .text(folder + "/"), .text(folder + "0")) {
                $0.text(0)
            }
        )
    }

    /// Notes a file that is not what its name says, or that nothing names.
    func noteFaulty(_ file: String) throws {
        try database.statement("INSERT OR IGNORE INTO temp.faulty (file) VALUES (?1)").run(
            .text(file)
        )
    }

    /// Has the variants of faulty files made again.
    ///
    /// - Returns: how many.
    func forgetFaultyFiles() throws -> Int {
        try database.run(Self.forgetFaulty)
        let count = database.changedRows
        // Also where the state had lost them before: the index must lose them, too.
        let isPublished = try database.first(Self.isPublishedFaulty) { $0.flag(0) } ?? false
        if count > 0 || isPublished { try noteFilesForgotten() }
        return count
    }

    func countNamedVariants() throws -> Int {
        try database.first(Self.countNamed) { $0.integer(0) } ?? 0
    }

    func filesToRemove(limit: Int) throws -> [String] {
        try database.all(Self.selectFaulty, .integer(limit)) { $0.text(0) }
    }

    /// Strikes what `filesToRemove` has said with the same limit; see `forgetFreeRetiredFiles`.
    func forgetRemovedFiles(limit: Int) throws {
        for table in ["retired", "temp.faulty"] {
            try database.run(
                "DELETE FROM \(table) WHERE file IN (\(Self.selectFaulty))",
                .integer(limit)
            )
        }
    }

    /// `bytes` is NULL for what the index before the published one alone names, and for what waits to
    /// be removed: nobody checks that.
    private static let createTables = """
        CREATE TEMP TABLE file (name TEXT PRIMARY KEY NOT NULL, bytes INTEGER,
            published INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TEMP TABLE faulty (file TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID
        """
    private static let insertPublished = """
        INSERT OR IGNORE INTO temp.file SELECT file, bytes, 1 FROM named_by.variant ORDER BY file
        """
    private static let insertOfRows = """
        INSERT OR IGNORE INTO temp.file SELECT file, bytes, 0 FROM main.variant
        WHERE file IS NOT NULL ORDER BY file;
        INSERT OR IGNORE INTO temp.file SELECT file, bytes, 0 FROM main.source
        WHERE file IS NOT NULL ORDER BY file;
        INSERT OR IGNORE INTO temp.file SELECT file, NULL, 0 FROM main.retired ORDER BY file
        """
    private static let insertEarlier = """
        INSERT OR IGNORE INTO temp.file SELECT file, NULL, 0 FROM named_by.variant ORDER BY file
        """
    private static let selectNamed = """
        SELECT name, bytes, published FROM temp.file WHERE name > ?1 AND bytes IS NOT NULL
        ORDER BY name LIMIT ?2
        """
    private static let selectNames = "SELECT name FROM temp.file WHERE name > ?1 AND name < ?2"
    private static let selectFaulty = "SELECT file FROM temp.faulty ORDER BY file LIMIT ?1"
    private static let forgetFaulty = """
        UPDATE variant SET version = NULL, file = NULL, bytes = NULL
        WHERE file IN (SELECT file FROM temp.faulty)
        """
    private static let isPublishedFaulty = """
        SELECT EXISTS (SELECT 1 FROM temp.faulty JOIN temp.file ON name = file WHERE published = 1)
        """
    private static let countNamed = """
        SELECT count(*) FROM temp.file WHERE bytes IS NOT NULL AND name LIKE 'store/%'
        """
}
