/// Reads one JSON object for the few keys that an entry is made of.
///
/// Written by hand: Foundation's decoder took longer for a line (2.7 µs) than all else that an ingest
/// does for it (2 µs). Nothing is kept but three values; the rest is only checked to be JSON (RFC 8259).
struct JSONEntryReader {
    private let column: String
    private let urlKey: [UInt8]
    private let hashKey = Array("hash".utf8)
    private let hitsKey = Array("hits".utf8)
    private var key: [UInt8] = []
    private var fields = EntryFields()

    init(column: String) {
        self.column = column
        urlKey = Array(column.utf8)
    }

    /// The entry of a line, or what is wrong with it.
    mutating func read(_ text: Span<UInt8>, line: Int) -> ManifestItem {
        guard (try? UTF8Span(validating: text)) != nil else {
            return .bad(line: line, reason: "not UTF-8")
        }
        fields.removeAll()
        fields.hasURL = false
        do throws(JSONFault) {
            var cursor = JSONCursor()
            try readObject(text, &cursor)
        } catch {
            let place = error.place.map { " at byte \($0 + 1)" } ?? ""
            return .bad(line: line, reason: error.message + place)
        }
        return fields.item(line: line, column: column)
    }

    private mutating func readObject(
        _ text: Span<UInt8>,
        _ cursor: inout JSONCursor
    ) throws(JSONFault) {
        cursor.passBlanks(text)
        guard cursor.next(text) == UInt8(ascii: "{") else {
            throw JSONFault(message: "not a JSON object", place: nil)
        }
        cursor.place += 1
        if !cursor.passEmptyEnd(text, UInt8(ascii: "}")) {
            repeat {
                try cursor.readKey(text, into: &key)
                try readValue(text, &cursor)
            } while try cursor.passSeparator(text, orEnd: UInt8(ascii: "}"))
        }
        cursor.passBlanks(text)
        if cursor.place < text.count { throw cursor.fault("text after the object") }
    }

    private mutating func readValue(
        _ text: Span<UInt8>,
        _ cursor: inout JSONCursor
    ) throws(JSONFault) {
        if key == urlKey {
            fields.hasURL = true
            try Self.readText(text, &cursor, "\"\(column)\"", into: &fields.url)
        } else if key == hashKey {
            try Self.readText(text, &cursor, "\"hash\"", into: &fields.hash)
        } else if key == hitsKey {
            fields.hits.removeAll(keepingCapacity: true)
            let begin = cursor.place
            let isNull = cursor.next(text) == UInt8(ascii: "n")
            try cursor.passValue(text)
            if !isNull { fields.hits.append(text.extracting(begin..<cursor.place)) }
        } else {
            try cursor.passValue(text)
        }
    }

    private static func readText(
        _ text: Span<UInt8>,
        _ cursor: inout JSONCursor,
        _ name: String,
        into bytes: inout [UInt8]
    ) throws(JSONFault) {
        bytes.removeAll(keepingCapacity: true)
        switch cursor.next(text) {
        case UInt8(ascii: "\""): try cursor.readString(text, into: &bytes)
        case UInt8(ascii: "n"): try cursor.passValue(text)
        default:
            try cursor.passValue(text)
            throw JSONFault(message: "\(name) is not a string", place: nil)
        }
    }
}

/// What is wrong with a line of JSON.
struct JSONFault: Error {
    var message: String
    /// From 0; `nil` where the sentence says enough.
    var place: Int?
}
