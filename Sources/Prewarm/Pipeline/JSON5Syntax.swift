/// Finds where a JSON5 document stops being one.
///
/// Foundation's decoder on Linux says only that a document is invalid, which is no help with a page
/// of configuration. This walks the grammar and stops at the first byte that does not fit; it makes
/// no values, and what it passes the decoder still has to accept.
struct JSON5Syntax {
    struct Place: Error, Equatable, CustomStringConvertible {
        var line: Int
        var column: Int
        var expected: String
        var description: String { "line \(line), column \(column): \(expected)" }
    }

    private let bytes: [UInt8]
    private var position = 0

    /// The first place that does not fit; `nil` where all does.
    static func firstFault(in bytes: [UInt8]) -> Place? {
        var syntax = JSON5Syntax(bytes: bytes)
        do throws(Place) {
            try syntax.value()
            try syntax.skipBlanks()
            if syntax.position < bytes.count { throw syntax.place("nothing should follow here") }
            return nil
        } catch {
            return error
        }
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func value() throws(Place) {
        try skipBlanks()
        switch peek {
        case UInt8(ascii: "{"):
            try members(until: "}") { syntax throws(Place) in
                try syntax.key()
                try syntax.skipBlanks()
                guard syntax.take(":") else { throw syntax.place("a : should stand here") }
                try syntax.value()
            }
        case UInt8(ascii: "["):
            try members(until: "]") { syntax throws(Place) in
                try syntax.value()
            }
        case UInt8(ascii: "\""), UInt8(ascii: "'"): try string()
        default: try word(expected: "a value should stand here")
        }
    }

    private mutating func members(
        until end: Unicode.Scalar,
        member: (inout JSON5Syntax) throws(Place) -> Void
    ) throws(Place) {
        position += 1
        while true {
            try skipBlanks()
            if take(end) { return }
            try member(&self)
            try skipBlanks()
            if take(",") { continue }
            guard take(end) else { throw place("a , or \(end) should stand here") }
            return
        }
    }

    private mutating func key() throws(Place) {
        if peek == UInt8(ascii: "\"") || peek == UInt8(ascii: "'") { return try string() }
        try word(expected: "a key should stand here")
    }

    private mutating func string() throws(Place) {
        let quote = bytes[position]
        position += 1
        while let byte = peek {
            if byte == UInt8(ascii: "\n") { throw place("the string has no end on its line") }
            position += byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == quote { return }
        }
        position = bytes.count
        throw place("the string has no end")
    }

    /// A number, `true`, `null`, a bare key: what they may be is the decoder's to say.
    private mutating func word(expected: String) throws(Place) {
        let start = position
        while let byte = peek, Self.isWord(byte) { position += 1 }
        if position == start { throw place(expected) }
    }

    private mutating func skipBlanks() throws(Place) {
        while let byte = peek {
            if byte <= 0x20 {
                position += 1
            } else if has("//") {
                while let byte = peek, byte != UInt8(ascii: "\n") { position += 1 }
            } else if has("/*") {
                while !has("*/") {
                    position += 1
                    if peek == nil { throw place("the comment has no end") }
                }
                position += 2
            } else {
                return
            }
        }
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func has(_ text: StaticString) -> Bool {
        bytes[min(position, bytes.count)...].starts(with: text.description.utf8)
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: scalar) else { return false }
        position += 1
        return true
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"),
            UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), 0x80...0xFF:
            true
        default: false
        }
    }

    private func place(_ expected: String) -> Place {
        let before = bytes.prefix(position)
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return Place(
            line: before.count { $0 == UInt8(ascii: "\n") } + 1,
            column: before.count - start + 1,
            expected: expected
        )
    }
}
