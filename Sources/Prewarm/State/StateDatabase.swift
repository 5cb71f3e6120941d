internal import GearboxDatabase
internal import System

/// The working state of a cache directory, `state.sqlite`: one writer, on one thread at a time.
///
/// Its statements are in the files of the records they serve.
final class StateDatabase {
    static let applicationID = 0x4745_5354
    /// The schema, as what leads from each version to the next.
    private static let steps = [
        PackageResources.state_schema_0001_sql, PackageResources.state_schema_0002_sql,
        PackageResources.state_schema_0003_sql, PackageResources.state_schema_0004_sql,
        PackageResources.state_schema_0005_sql, PackageResources.state_schema_0006_sql,
    ]
    static let version = steps.count

    /// Pages held in memory, in KiB: rows come in their order, so that few are enough.
    private static let cache = 6_144

    let database: Database
    /// Whether this run has looked which sources have something due.
    var isDueKnown = false

    /// Opens the state, making it where there is none.
    init(path: String) throws {
        database = try Database(path: path, access: .readWrite)
        let found = try Self.check(database)
        // Rows are lost at most back to the last checkpoint if power fails, never damaged; the work
        // they told of is then found due again.
        try database.execute(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -\(Self.cache);
            PRAGMA wal_autocheckpoint = 16000
            """
        )
        if found < Self.version { try migrate(from: found) }
    }

    /// Opens the state of a cache directory to look at it, also while a run writes it.
    ///
    /// - Returns: `nil` where there is none.
    static func looked(atCache cache: String) throws -> StateDatabase? {
        let path = "\(cache)/state.sqlite"
        guard Files.exists(path) else { return nil }
        // A log beside the file is that of a run, at work or killed. Without one the file is whole,
        // and is read without the files that SQLite would make beside it.
        let isQuiet = !Files.exists(path + "-wal")
        do {
            return try StateDatabase(reading: path, isQuiet ? .immutable : .readOnly)
        } catch let error as DatabaseError {
            guard !isQuiet, [.cannotOpen, .readOnly, .diskFull].contains(error.code) else {
                throw error
            }
            // Where nothing may or can be written SQLite cannot share the log with a writer.
            return try StateDatabase(reading: path, .immutable)
        }
    }

    private init(reading path: String, _ access: Database.Access) throws {
        database = try Database(path: path, access: access)
        let found = try Self.check(database)
        guard found > 0 else {
            throw StateError(path: path, message: "it is empty; gearbox run fills it")
        }
        try lookAt(version: found)
    }

    /// Throws where this is no state that this program knows.
    ///
    /// - Returns: its version; 0 where it is empty.
    private static func check(_ database: Database) throws -> Int {
        let application = try database.first("PRAGMA application_id") { $0.integer(0) } ?? 0
        let version = try database.first("PRAGMA user_version") { $0.integer(0) } ?? 0
        let isEmpty =
            try database.first("SELECT count(*) FROM sqlite_schema") { $0.integer(0) } == 0
        guard isEmpty || application == Self.applicationID else {
            throw StateError(
                path: database.path,
                message: "this is not a Gearbox state; move it away"
            )
        }
        guard isEmpty || (1...Self.version).contains(version) else {
            throw StateError(
                path: database.path,
                message: "the state has format version \(version), this gearbox knows versions up"
                    + " to \(Self.version); use the gearbox that wrote it"
            )
        }
        return isEmpty ? 0 : version
    }

    private func migrate(from version: Int) throws {
        try defineNames()
        try database.transaction {
            try database.execute("PRAGMA application_id = \(Self.applicationID)")
            for step in Self.steps[version...] {
                try database.execute(String(decoding: step, as: UTF8.self))
            }
            try database.execute("PRAGMA user_version = \(Self.version)")
        }
    }

    /// Runs a body as one transaction.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        let result = try database.transaction {
            let result = try body()
            WritePoint.rowsWritten.pass()
            return result
        }
        WritePoint.rowsCommitted.pass()
        return result
    }

    /// Reads several things of one moment, whatever a run writes meanwhile.
    func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        try database.execute("BEGIN")
        defer { try? database.execute("END") }
        return try body()
    }

    // MARK: Settings

    func setting(_ name: StateSetting) throws -> String? {
        try database.first("SELECT value FROM setting WHERE name = ?1", .text(name.rawValue)) {
            $0.text(0)
        }
    }

    func set(_ name: StateSetting, to value: String) throws {
        try database.run(
            "INSERT INTO setting (name, value) VALUES (?1, ?2)"
                + " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            .text(name.rawValue),
            .text(value)
        )
    }

    /// The number of the current listing; 0 before the first ingest.
    func listing() throws -> Int { Int(try setting(.listing) ?? "") ?? 0 }

    /// The number of the current night; 0 before the first ingest.
    func night() throws -> Int { Int(try setting(.night) ?? "") ?? 0 }

    /// Notes that the next index will differ from the published one.
    func noteChange() throws {
        try database.run(
            "UPDATE setting SET value = '0' WHERE name IN ('isPublished', 'isDrafted') AND value <> '0'"
        )
    }
}

/// The single values that the state keeps.
enum StateSetting: String {
    case listing
    /// `1` where the current listing is whole.
    case isIngested
    /// What the stages before the fetch depended on when they were last done, behind the run.
    case ingestInputs
    case canonicalizeInputs
    case planInputs
    /// The listing that a plan was last begun for.
    case planningListing
    /// Counts the nights; a run that goes on where one was interrupted is of the same night.
    case night
    /// `1` where the current night's run has come to its end.
    case isNightDone
    /// The first run of the round whose questions runs share; 0 where the last one has ended.
    case round
    /// `1` where every source of the round was asked.
    case isRoundAsked
    /// The first run of the current night.
    case nightRun
    /// The listing that the plan was last made for.
    case plannedListing
    /// The rules that the listings are canonicalised by, and the first listing of which that is true.
    case rules
    case rulesSince
    /// The name of the pipeline whose cache directory this is.
    case pipeline
    /// The generation of the last published index.
    case generation
    /// `1` where nothing has changed since the last published index.
    case isPublished
    /// `1` where nothing has changed since the draft of the next index was made.
    case isDrafted
    /// `0` where files may be left that the published index has let go.
    case isSwept
    /// `1` where files may be there that an earlier run has not written down.
    case isOrphaned
    /// What the published index says of itself beside its rows.
    case publishedMeta
    /// The pipeline that the next index is made by, without its credentials.
    case effectivePipeline
}

/// Why the state cannot be used.
package struct StateError: Error, Sendable, Hashable, CustomStringConvertible {
    package var path: String
    package var message: String
    package var description: String { "\(path): \(message)" }
}
