internal import GearboxDatabase

/// What is wrong with a state that can be opened.
struct StateDamage: Error {
    var message: String
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

    /// What SQLite's own check says, or that the schema is another than this program has written.
    func damage() throws -> String? {
        let words = try database.first("PRAGMA integrity_check(1)") { $0.text(0) } ?? "ok"
        if words != "ok" { return words }
        let fresh = try StateDatabase(path: ":memory:")
        return try schema() == fresh.schema() ? nil : "its schema is not as it was made"
    }

    private func schema() throws -> [String] {
        try database.all("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY sql") {
            $0.text(0)
        }
    }
}
