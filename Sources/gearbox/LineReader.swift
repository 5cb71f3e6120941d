internal import System

/// The lines of a file or of standard input, each without its line end, in bounded memory.
struct LineReader: ~Copyable {
    private let reader: FileReader
    private var buffer = [UInt8](repeating: 0, count: 256 * 1_024)
    private var position = 0
    private var count = 0
    /// The number of the line that was read last, from 1.
    private(set) var number = 0

    init(_ reader: consuming FileReader) { self.reader = reader }

    /// The next line; `nil` at the end.
    mutating func next() throws(SystemError) -> String? {
        var carried: [UInt8] = []
        var isBegun = false
        while true {
            if position == count {
                count = try reader.read(into: &buffer)
                position = 0
                if count == 0 { return isBegun ? end(carried) : nil }
            }
            isBegun = true
            let rest = buffer[position..<count]
            guard let newline = rest.firstIndex(of: UInt8(ascii: "\n")) else {
                carried += rest
                position = count
                continue
            }
            position = newline + 1
            return end(carried.isEmpty ? Array(rest[..<newline]) : carried + rest[..<newline])
        }
    }

    private mutating func end(_ bytes: [UInt8]) -> String {
        number += 1
        var line = bytes[...]
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return String(decoding: line, as: UTF8.self)
    }
}
