internal import CSQLite

extension Database {
    /// Adds a function that SQL on this connection may call; the same values always give the same.
    ///
    /// See <https://sqlite.org/c3ref/create_function.html>.
    package func define(
        _ name: String,
        arguments: Int,
        body: @escaping ([Value]) -> Value
    ) throws(DatabaseError) {
        try define(SQLFunction(name: name, argumentCount: arguments, body: body))
    }
}

/// A function that SQL may call.
final class SQLFunction {
    let name: String
    let argumentCount: Int
    let body: ([Value]) -> Value

    init(name: String, argumentCount: Int, body: @escaping ([Value]) -> Value) {
        self.name = name
        self.argumentCount = argumentCount
        self.body = body
    }

    /// Hands the function to a connection, which keeps it until it is closed.
    ///
    /// - Returns: SQLite's result code.
    func register(on connection: OpaquePointer) -> Int32 {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
        return unsafe sqlite3_create_function_v2(
            connection,
            name,
            Int32(argumentCount),
            flags,
            Unmanaged.passRetained(self).toOpaque(),
            { context, count, values in
                guard let context = unsafe context, let values = unsafe values,
                    let data = unsafe sqlite3_user_data(context)
                else { return }
                let function = unsafe Unmanaged<SQLFunction>.fromOpaque(data)
                    .takeUnretainedValue()
                var arguments: [Value] = []
                for index in 0..<Int(count) { unsafe arguments.append(Value(values[index])) }
                unsafe function.body(arguments).returned(by: context)
            },
            nil,
            nil,
            { data in
                if let data = unsafe data {
                    unsafe Unmanaged<SQLFunction>.fromOpaque(data).release()
                }
            }
        )
    }
}

extension Value {
    fileprivate init(_ value: OpaquePointer?) {
        let count = Int(unsafe sqlite3_value_bytes(value))
        switch unsafe sqlite3_value_type(value) {
        case SQLITE_INTEGER: self = .integer(Int(unsafe sqlite3_value_int64(value)))
        case SQLITE_FLOAT: self = .real(unsafe sqlite3_value_double(value))
        case SQLITE_TEXT:
            let bytes = unsafe UnsafeBufferPointer(start: sqlite3_value_text(value), count: count)
            self = .text(unsafe String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            let bytes = unsafe UnsafeRawBufferPointer(
                start: sqlite3_value_blob(value),
                count: count
            )
            self = .blob(unsafe [UInt8](bytes))
        default: self = .null
        }
    }

    fileprivate func returned(by context: OpaquePointer) {
        switch self {
        case .null: unsafe sqlite3_result_null(context)
        case .integer(let integer): unsafe sqlite3_result_int64(context, Int64(integer))
        case .real(let real): unsafe sqlite3_result_double(context, real)
        case .text(let text):
            unsafe csqlite_result_text(context, text, Int32(text.utf8.count))
        case .blob(let bytes):
            unsafe bytes.withUnsafeBytes { bytes in
                unsafe csqlite_result_blob(context, bytes.baseAddress, Int32(bytes.count))
            }
        }
    }
}
