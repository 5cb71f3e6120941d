internal import GearboxDatabase

/// What is wrong with a state that can be opened.
struct StateDamage: Error, CustomStringConvertible {
    var message: String
    var description: String {
        "state.sqlite is damaged: \(message); gearbox run moves it away, and the run after that goes on"
            + " from the published index"
    }
}

extension StateDatabase {
    /// What is wrong with a state that an error came of; `nil` where nothing is.
    ///
    /// A disk may fail once to read, so it is looked at again before it is given up.
    static func damage(of path: String, after error: DatabaseError) -> String? {
        switch error.code {
        // The last two: this program has written the schema and what it was asked to hold.
        case .corrupt, .notADatabase, .schema, .constraint: break
        default: return nil
        }
        do { return try StateDatabase(path: path).damage() } catch let error as DatabaseError {
            let isDamage = error.code == .corrupt || error.code == .notADatabase
            return isDamage || error.code == .schema ? error.message : nil
        } catch {
            return nil
        }
    }

    /// What SQLite's own check says, that the schema is another than this program has written, that a
    /// source is not what it is found by, or that nothing can be added.
    func damage() throws -> String? {
        let words = try database.first("PRAGMA integrity_check(1)") { $0.text(0) } ?? "ok"
        // What cannot be read just now is not damaged.
        if words != "ok" && !words.contains(Self.unreadPage) { return words }
        let fresh = try StateDatabase(path: ":memory:")
        guard try schema() == fresh.schema() else { return "its schema is not as it was made" }
        try defineNames()
        if try database.first(Self.hasOtherName, read: { $0.flag(0) }) == true {
            return "a source is not what it is found by"
        }
        return probe()
    }

    /// The list of free pages is looked at by who needs one.
    private func probe() -> String? {
        defer { try? database.execute("ROLLBACK") }
        do {
            try database.execute("BEGIN IMMEDIATE; CREATE TABLE probe (value)")
            return nil
        } catch {
            return error.code == .corrupt ? error.message : nil
        }
    }

    /// Names alone: another build may have had other words in its comments.
    private func schema() throws -> [String] {
        try database.all(Self.selectSchema) { $0.text(0) }
    }

    private static let selectSchema = """
        SELECT type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(
            (SELECT group_concat(c.name) FROM pragma_table_xinfo(m.name) AS c), '')
        FROM sqlite_schema AS m ORDER BY type, name
        """
    private static let unreadPage = "unable to get the page"
    private static let hasOtherName = """
        SELECT EXISTS (SELECT 1 FROM main.source
            WHERE name_hash IS NOT source_hash(origin_id, opaque, path))
        """
}
