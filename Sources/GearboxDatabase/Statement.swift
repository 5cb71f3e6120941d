internal import CSQLite

/// A prepared statement of one `Database`.
///
/// See <https://sqlite.org/c3ref/stmt.html>.
@safe package final class Statement {
    private let handle: OpaquePointer
    private let sql: String
    private let path: String

    init(adopting handle: OpaquePointer, sql: String, path: String) {
        unsafe self.handle = handle
        self.sql = sql
        self.path = path
    }

    deinit { unsafe sqlite3_finalize(handle) }

    /// Binds all values, the first to `?1`.
    package func bind(_ values: [Value]) throws(DatabaseError) {
        reset()
        let expected = Int(unsafe sqlite3_bind_parameter_count(handle))
        precondition(values.count == expected, "\(values.count) values for \(expected): \(sql)")
        for (offset, value) in values.enumerated() {
            let index = offset + 1
            switch value {
            case .null: try check(unsafe sqlite3_bind_null(handle, Int32(index)))
            case .integer(let integer): try bind(integer, at: index)
            case .real(let real): try check(unsafe sqlite3_bind_double(handle, Int32(index), real))
            case .text(let text): try bind(text, at: index)
            case .blob(let bytes):
                let result = unsafe bytes.withUnsafeBytes { bytes in
                    unsafe csqlite_bind_blob(
                        handle,
                        Int32(index),
                        bytes.baseAddress,
                        Int32(bytes.count)
                    )
                }
                try check(result)
            }
        }
    }

    /// Binds one value to a statement that is reset: `?1` is at 1.
    package func bind(_ integer: Int, at index: Int) throws(DatabaseError) {
        try check(unsafe sqlite3_bind_int64(handle, Int32(index), Int64(integer)))
    }

    /// Binds one value to a statement that is reset: `?1` is at 1.
    package func bind(_ text: String, at index: Int) throws(DatabaseError) {
        var text = text
        let result = text.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                unsafe csqlite_bind_text(
                    handle,
                    Int32(index),
                    characters.baseAddress,
                    Int32(characters.count)
                )
            }
        }
        try check(result)
    }

    private func check(_ result: Int32) throws(DatabaseError) {
        guard result == SQLITE_OK else { throw error(result) }
    }

    /// Goes to the next row.
    ///
    /// - Returns: whether there is one.
    package func step() throws(DatabaseError) -> Bool {
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let result:
            let failure = error(result)
            reset()
            throw failure
        }
    }

    /// Binds, runs to the end and drops what rows there are.
    package func run(_ values: Value...) throws(DatabaseError) {
        try bind(values)
        defer { reset() }
        while try step() {}
    }

    /// Ends a query before its last row, so that the next writer need not wait for it.
    package func reset() { unsafe sqlite3_reset(handle) }

    package func isNull(_ column: Int) -> Bool {
        unsafe sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
    }

    package func integer(_ column: Int) -> Int {
        Int(unsafe sqlite3_column_int64(handle, Int32(column)))
    }

    package func flag(_ column: Int) -> Bool { integer(column) != 0 }

    package func real(_ column: Int) -> Double {
        unsafe sqlite3_column_double(handle, Int32(column))
    }

    /// The column's text; empty where it is NULL.
    package func text(_ column: Int) -> String {
        guard let bytes = unsafe sqlite3_column_text(handle, Int32(column)) else { return "" }
        let count = Int(unsafe sqlite3_column_bytes(handle, Int32(column)))
        return unsafe String(
            decoding: UnsafeBufferPointer(start: bytes, count: count),
            as: UTF8.self
        )
    }

    /// The column's bytes; `nil` where it is no BLOB.
    package func blob(_ column: Int) -> [UInt8]? {
        guard unsafe sqlite3_column_type(handle, Int32(column)) == SQLITE_BLOB else { return nil }
        let start = unsafe sqlite3_column_blob(handle, Int32(column))
        let count = Int(unsafe sqlite3_column_bytes(handle, Int32(column)))
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    package func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }
    package func optionalInteger(_ column: Int) -> Int? { isNull(column) ? nil : integer(column) }

    /// The column as it is, to be bound to another statement.
    package func value(_ column: Int) -> Value {
        switch unsafe sqlite3_column_type(handle, Int32(column)) {
        case SQLITE_NULL: .null
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .real(real(column))
        default: .text(text(column))
        }
    }

    private func error(_ result: Int32) -> DatabaseError {
        let database = unsafe sqlite3_db_handle(handle)
        return unsafe DatabaseError(result: result, of: database, subject: path, statement: sql)
    }
}
