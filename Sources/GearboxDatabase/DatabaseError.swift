internal import CSQLite

/// Why SQLite refused.
package struct DatabaseError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        case cannotOpen, busy, diskFull, readOnly, corrupt, notADatabase, inputOutput
        case constraint, outOfMemory, interrupted, schema, misuse
        /// A result code of SQLite that has no word here.
        case other(Int32)
    }

    package var code: Code
    /// The database's path.
    package var subject: String
    /// What failed and what to do, in one line, with the statement but never its values.
    package var message: String

    package init(code: Code, subject: String, message: String) {
        self.code = code
        self.subject = subject
        self.message = message
    }

    package var description: String { "\(subject): \(message)" }

    /// Translates a result code; the one place that does.
    init(result: Int32, of database: OpaquePointer?, subject: String, statement: String?) {
        let text = unsafe database.map { unsafe String(cString: sqlite3_errmsg($0)) } ?? ""
        // What SQLite keeps beside a database it can have no room for, too, and says so otherwise.
        let isFull = result == csqlite_no_room_for_shared_memory()
        let (code, remedy) = Self.translation(of: isFull ? SQLITE_FULL : result)
        let during = statement.map { " while running \"\(Self.shortened($0))\"" } ?? ""
        let detail = text.isEmpty ? "SQLite result \(result)" : text
        self.init(code: code, subject: subject, message: "\(detail)\(during)\(remedy)")
    }

    private static func translation(of result: Int32) -> (Code, String) {
        switch result & 0xFF {
        case SQLITE_CANTOPEN:
            (.cannotOpen, "; check that the folder exists and may be read, and `ulimit -n`")
        case SQLITE_BUSY, SQLITE_LOCKED: (.busy, "; another process is writing it, try again")
        case SQLITE_FULL:
            (
                .diskFull,
                "; free some space on its disk, or raise ulimit -f or the quota, and run again"
            )
        case SQLITE_READONLY: (.readOnly, "; check the permissions of the file and its folder")
        case SQLITE_CORRUPT: (.corrupt, "; the file is damaged, move it away and run again")
        case SQLITE_NOTADB: (.notADatabase, "; move the file away and run again")
        case SQLITE_IOERR: (.inputOutput, "; check the disk, and `ulimit -f`")
        case SQLITE_CONSTRAINT: (.constraint, "")
        case SQLITE_NOMEM: (.outOfMemory, "")
        case SQLITE_INTERRUPT: (.interrupted, "")
        case SQLITE_SCHEMA, SQLITE_ERROR: (.schema, "")
        case SQLITE_MISUSE: (.misuse, "")
        default: (.other(result), "")
        }
    }

    private static func shortened(_ statement: String) -> String {
        let words = statement.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.count <= 80 ? words : words.prefix(77) + "..."
    }
}
