/// A place in the text of a JSON value, which is known to be UTF-8.
struct JSONCursor {
    /// Deeper values are refused: a person's are never so deep.
    private static let deepest = 128

    var place = 0

    func fault(_ message: String) -> JSONFault { JSONFault(message: message, place: place) }

    /// The byte at the place; `nil` at the end.
    func next(_ text: Span<UInt8>) -> UInt8? { place < text.count ? text[place] : nil }

    mutating func passBlanks(_ text: Span<UInt8>) {
        while let byte = next(text), byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
            place += 1
        }
    }

    /// Passes the end of an object or list that has nothing in it.
    mutating func passEmptyEnd(_ text: Span<UInt8>, _ end: UInt8) -> Bool {
        passBlanks(text)
        guard next(text) == end else { return false }
        place += 1
        return true
    }

    /// Passes what follows an element.
    ///
    /// - Returns: whether there is another.
    mutating func passSeparator(
        _ text: Span<UInt8>,
        orEnd end: UInt8
    ) throws(JSONFault) -> Bool {
        passBlanks(text)
        guard let byte = next(text), byte == UInt8(ascii: ",") || byte == end else {
            throw fault("not JSON: a comma or \(Unicode.Scalar(end)) is missing")
        }
        place += 1
        passBlanks(text)
        return byte != end
    }

    /// Reads a key and goes on to its value.
    mutating func readKey(
        _ text: Span<UInt8>,
        into key: inout [UInt8]
    ) throws(JSONFault) {
        key.removeAll(keepingCapacity: true)
        guard next(text) == UInt8(ascii: "\"") else { throw fault("not JSON: a key is missing") }
        try readString(text, into: &key)
        passBlanks(text)
        guard next(text) == UInt8(ascii: ":") else { throw fault("not JSON: a colon is missing") }
        place += 1
        passBlanks(text)
    }

    mutating func passValue(_ text: Span<UInt8>, depth: Int = 0) throws(JSONFault) {
        var passed: [UInt8] = []
        switch next(text) {
        case UInt8(ascii: "\""): try readString(text, into: &passed)
        case UInt8(ascii: "{"), UInt8(ascii: "["): try passElements(text, depth: depth + 1)
        case UInt8(ascii: "t"): try passWord(text, "true")
        case UInt8(ascii: "f"): try passWord(text, "false")
        case UInt8(ascii: "n"): try passWord(text, "null")
        default: try passNumber(text)
        }
    }

    private mutating func passElements(_ text: Span<UInt8>, depth: Int) throws(JSONFault) {
        if depth > Self.deepest { throw fault("nested deeper than \(Self.deepest)") }
        let isObject = text[place] == UInt8(ascii: "{")
        let end = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
        place += 1
        if passEmptyEnd(text, end) { return }
        var key: [UInt8] = []
        repeat {
            if isObject { try readKey(text, into: &key) }
            try passValue(text, depth: depth)
        } while try passSeparator(text, orEnd: end)
    }

    private mutating func passWord(_ text: Span<UInt8>, _ word: String) throws(JSONFault) {
        for byte in word.utf8 {
            guard next(text) == byte else { throw fault("not JSON") }
            place += 1
        }
    }

    private mutating func passNumber(_ text: Span<UInt8>) throws(JSONFault) {
        if next(text) == UInt8(ascii: "-") { place += 1 }
        if next(text) == UInt8(ascii: "0") { place += 1 } else { try passDigits(text) }
        if next(text) == UInt8(ascii: ".") {
            place += 1
            try passDigits(text)
        }
        if let byte = next(text), byte | 0x20 == UInt8(ascii: "e") {
            place += 1
            if let sign = next(text), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
                place += 1
            }
            try passDigits(text)
        }
    }

    private mutating func passDigits(_ text: Span<UInt8>) throws(JSONFault) {
        let begin = place
        while let byte = next(text), (0x30...0x39).contains(byte) { place += 1 }
        if place == begin { throw fault("not JSON") }
    }
}
