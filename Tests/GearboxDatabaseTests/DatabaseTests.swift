import GearboxDatabase
import TestSupport
import Testing

@Suite("A SQLite database")
struct DatabaseTests {
    private let scratch: Scratch
    private let database: Database

    init() throws {
        scratch = try Scratch()
        database = try Database(path: scratch.path + "/a ?#%.sqlite", access: .readWrite)
        try database.execute("CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT, weight REAL)")
    }

    @Test("gives back what was bound, byte for byte")
    func roundTrip() throws {
        let texts = ["", "é", "a\u{0}b", "'; DROP TABLE word"]
        for text in texts {
            try database.run(
                "INSERT INTO word (text, weight) VALUES (?1, ?2)",
                .text(text),
                .real(0.5)
            )
        }
        try database.run("INSERT INTO word (text) VALUES (?1)", nil)
        let read = try database.all("SELECT text, weight FROM word ORDER BY id") {
            $0.optionalText(0)
        }
        #expect(read == texts + [nil])
        #expect(try database.first("SELECT weight FROM word WHERE id = 1") { $0.real(0) } == 0.5)
    }

    @Test("calls a function of ours with the values as they are, and takes its value as it is")
    func functions() throws {
        try database.define("same", arguments: 1) { $0[0] }
        try database.define("pair", arguments: 2) { .blob($0 == [1, nil] ? [0, 255] : []) }
        for value in ["NULL", "-1", "0.5", "''", "'é'", "x''", "x'00ff'"] {
            let kept = try database.first(
                "SELECT same(\(value)) IS \(value) AND typeof(same(\(value))) = typeof(\(value))"
            ) { $0.flag(0) }
            #expect(kept == true, "\(value)")
        }
        #expect(try database.first("SELECT hex(pair(1, NULL))") { $0.text(0) } == "00FF")
        try database.run("INSERT INTO word (text) VALUES (?1)", .blob([]))
        #expect(try database.first("SELECT typeof(text) FROM word") { $0.text(0) } == "blob")
    }

    @Test("undoes a transaction whose body throws, and says the first error")
    func rollback() throws {
        #expect(throws: DatabaseError.self) {
            try database.transaction {
                try database.run("INSERT INTO word (id) VALUES (1)")
                try database.run("INSERT INTO word (id) VALUES (1)")
            }
        }
        #expect(try database.first("SELECT count(*) FROM word") { $0.integer(0) } == 0)
        try database.transaction { try database.run("INSERT INTO word (id) VALUES (1)") }
        #expect(try database.first("SELECT count(*) FROM word") { $0.integer(0) } == 1)
    }

    @Test("names the file and the statement of an error, never its values")
    func errors() throws {
        try database.run("INSERT INTO word (id, text) VALUES (1, ?1)", "secret")
        let error = #expect(throws: DatabaseError.self) {
            try database.run("INSERT INTO word (id, text) VALUES (1, ?1)", "secret")
        }
        #expect(error?.code == .constraint)
        #expect(error?.subject == database.path)
        #expect(error?.message.contains("INSERT INTO word") == true)
        #expect(error?.message.contains("secret") == false)
    }

    @Test("opens a missing file read-only with an error, not by making it")
    func missing() {
        let path = scratch.path + "/missing.sqlite"
        let error = #expect(throws: DatabaseError.self) {
            try Database(path: path, access: .readOnly)
        }
        #expect(error?.code == .cannotOpen)
        #expect(!scratch.files().contains("missing.sqlite"))
    }

    @Test("says that a file is no database")
    func notADatabase() throws {
        try scratch.write(String(repeating: "not a database ", count: 100), to: "text")
        let other = try Database(path: scratch.path + "/text", access: .readOnly)
        let error = #expect(throws: DatabaseError.self) {
            try other.first("SELECT count(*) FROM sqlite_schema") { $0.integer(0) }
        }
        #expect(error?.code == .notADatabase)
    }

    @Test("refuses to write what was opened for reading")
    func readOnly() throws {
        let reader = try Database(path: database.path, access: .readOnly)
        let error = #expect(throws: DatabaseError.self) {
            try reader.run("INSERT INTO word (id) VALUES (1)")
        }
        #expect(error?.code == .readOnly)
    }
}
