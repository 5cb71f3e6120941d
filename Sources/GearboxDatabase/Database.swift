internal import CSQLite

/// One connection to a SQLite file.
///
/// GearboxDatabase owns the contact with SQLite: opening, statements, transactions and errors. It
/// knows nothing of pictures, URLs or of what the tables mean. A connection belongs to one thread at
/// a time; it is not `Sendable`.
///
/// See <https://sqlite.org/c3ref/intro.html>.
@safe package final class Database {
    /// How a file is opened.
    package enum Access: Sendable {
        /// Made if missing.
        case readWrite
        /// The file must be there and is never written.
        case readOnly
        /// As `readOnly`, for a file that nobody changes while it is open: no locks, so that it can
        /// be read in a folder that may not be written.
        case immutable
    }

    package let path: String
    private let handle: OpaquePointer
    private var statements: [String: Statement] = [:]

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: the file's path, or `:memory:`.
    ///   - access: whether it may be written.
    /// - Throws: where the file is missing or may not be opened so; a damaged one shows itself later.
    package init(path: String, access: Access) throws(DatabaseError) {
        var opened: OpaquePointer?
        let mode: Int32
        switch access {
        case .readWrite: mode = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        case .readOnly, .immutable: mode = SQLITE_OPEN_READONLY
        }
        let name =
            switch access {
            case .immutable: "file:\(Self.escaped(path))?immutable=1"
            case .readOnly, .readWrite: path == ":memory:" ? path : "file:\(Self.escaped(path))"
            }
        let flags = mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
        let result = unsafe sqlite3_open_v2(name, &opened, flags, nil)
        guard result == SQLITE_OK, let opened = unsafe opened else {
            // SQLite may hand out a connection even where opening failed: it says why.
            let error = unsafe DatabaseError(
                result: result,
                of: opened,
                subject: path,
                statement: nil
            )
            unsafe sqlite3_close_v2(opened)
            throw error
        }
        self.path = path
        unsafe handle = opened
        unsafe sqlite3_extended_result_codes(opened, 1)
        unsafe sqlite3_busy_timeout(opened, 5_000)
        _ = unsafe csqlite_set_defensive(opened, 1)
    }

    deinit {
        statements = [:]
        unsafe sqlite3_close_v2(handle)
    }

    /// Runs statements that return nothing, separated by semicolons.
    package func execute(_ sql: String) throws(DatabaseError) {
        let result = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard result == SQLITE_OK else { throw error(result, statement: sql) }
    }

    /// A prepared statement, kept for the connection's life: ask for it each time it is needed.
    package func statement(_ sql: String) throws(DatabaseError) -> Statement {
        if let kept = statements[sql] { return kept }
        var prepared: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        let result = unsafe sqlite3_prepare_v3(handle, sql, -1, flags, &prepared, nil)
        guard result == SQLITE_OK, let prepared = unsafe prepared else {
            throw error(result, statement: sql)
        }
        let statement = unsafe Statement(adopting: prepared, sql: sql, path: path)
        statements[sql] = statement
        return statement
    }

    /// Runs one statement with its values; rows it returns are dropped.
    package func run(_ sql: String, _ values: Value...) throws(DatabaseError) {
        let statement = try statement(sql)
        try statement.bind(values)
        defer { statement.reset() }
        while try statement.step() {}
    }

    /// The first row of a query.
    package func first<Result>(
        _ sql: String,
        _ values: Value...,
        read: (Statement) -> Result
    ) throws(DatabaseError) -> Result? {
        let statement = try statement(sql)
        try statement.bind(values)
        defer { statement.reset() }
        return try statement.step() ? read(statement) : nil
    }

    /// All rows of a query.
    package func all<Result>(
        _ sql: String,
        _ values: Value...,
        read: (Statement) -> Result
    ) throws(DatabaseError) -> [Result] {
        let statement = try statement(sql)
        try statement.bind(values)
        defer { statement.reset() }
        var rows: [Result] = []
        while try statement.step() { rows.append(read(statement)) }
        return rows
    }

    func define(_ function: SQLFunction) throws(DatabaseError) {
        let result = unsafe function.register(on: handle)
        guard result == SQLITE_OK else { throw error(result, statement: function.name) }
    }

    /// Visits the rows of a query one after the other, however many there are.
    package func forEach(_ sql: String, _ visit: (Statement) throws -> Void) throws {
        let statement = try statement(sql)
        defer { statement.reset() }
        while try statement.step() { try visit(statement) }
    }

    /// Runs a body as one transaction, begun for writing at once, so that a later write in it cannot
    /// fail because somebody else wrote first.
    package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // Some failures (a full disk) have rolled back already; the first error is the one to tell.
            if unsafe sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// Whether another file has the path now, or none has.
    ///
    /// Costs no more than a look at the path. See
    /// <https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html#sqlitefcntlhasmoved>.
    package var isReplaced: Bool {
        var hasMoved: Int32 = 0
        let result = unsafe sqlite3_file_control(
            handle,
            "main",
            SQLITE_FCNTL_HAS_MOVED,
            &hasMoved
        )
        return result == SQLITE_OK && hasMoved != 0
    }

    /// The row identifier of the last insert.
    package var lastInsertedRow: Int { Int(unsafe sqlite3_last_insert_rowid(handle)) }
    /// The rows that the last statement changed.
    package var changedRows: Int { Int(unsafe sqlite3_changes64(handle)) }

    private func error(_ result: Int32, statement: String) -> DatabaseError {
        unsafe DatabaseError(result: result, of: handle, subject: path, statement: statement)
    }

    /// A path as part of a `file:` URI: what would end the path is encoded.
    private static func escaped(_ path: String) -> String {
        path.reduce(into: "") { uri, character in
            switch character {
            case "%": uri += "%25"
            case "?": uri += "%3f"
            case "#": uri += "%23"
            default: uri.append(character)
            }
        }
    }
}
