/// A row of a table as RFC 4180 has it, found in text that may end within it.
struct TableRow {
    /// Where a field is in the text, without its quotes.
    struct Field {
        var range: Range<Int>
        var isQuoted: Bool
        /// Whether quotes in it are doubled.
        var hasDoubles: Bool
    }

    enum Fault {
        /// A quote that nothing closes.
        case unclosed
        /// A quote that is closed before its field ends.
        case closedEarly
    }

    enum Scan {
        /// The text ends within the row.
        case incomplete
        /// Ends before this place, after so many lines.
        case row(end: Int, lines: Int)
        /// A quote that opens at a place, so many lines below the row's start; the next line begins at
        /// `next`, where that is known.
        case fault(Fault, at: Int, line: Int, next: Int?)
        /// The row is longer than a row may be.
        case tooLong
    }

    static let longestField = 65_536
    static let longestRow = 1 << 20
    private static let quote = UInt8(ascii: "\"")

    private(set) var fields: [Field] = []

    /// Finds the row that begins at a place; its fields are told where there is a whole one.
    mutating func scan(
        _ text: Span<UInt8>,
        from start: Int,
        separator: UInt8,
        isAtEnd: Bool
    ) -> Scan {
        fields.removeAll(keepingCapacity: true)
        var place = start
        var lines = 0
        while true {
            if place < text.count && text[place] == Self.quote {
                switch quoted(text, &place, &lines, separator, isAtEnd) {
                case .row: break
                case .incomplete where place - start > Self.longestRow: return .tooLong
                case let other: return other
                }
            } else {
                let begin = place
                while place < text.count, text[place] != separator, !Self.isLineEnd(text[place]) {
                    place += 1
                }
                fields.append(Field(range: begin..<place, isQuoted: false, hasDoubles: false))
            }
            if place - start > Self.longestRow { return .tooLong }
            guard place < text.count else {
                return isAtEnd ? .row(end: place, lines: lines + 1) : .incomplete
            }
            if text[place] == separator {
                place += 1
            } else if let next = Self.afterLineEnd(text, place, isAtEnd) {
                return .row(end: next, lines: lines + 1)
            } else {
                return .incomplete
            }
        }
    }

    /// Passes a quoted field; gives a row where it is whole.
    private mutating func quoted(
        _ text: Span<UInt8>,
        _ place: inout Int,
        _ lines: inout Int,
        _ separator: UInt8,
        _ isAtEnd: Bool
    ) -> Scan {
        let open = place
        let line = lines
        var next: Int?
        var hasDoubles = false
        place += 1
        while place < text.count {
            if place - open > Self.longestField {
                return .fault(.unclosed, at: open, line: line, next: next)
            }
            let byte = text[place]
            if byte == Self.quote {
                let after = place + 1
                if after == text.count && !isAtEnd { return .incomplete }
                if after < text.count && text[after] == Self.quote {
                    hasDoubles = true
                    place += 2
                    continue
                }
                let range = open + 1..<place
                fields.append(Field(range: range, isQuoted: true, hasDoubles: hasDoubles))
                place = after
                if after == text.count || text[after] == separator || Self.isLineEnd(text[after]) {
                    return .row(end: after, lines: lines)
                }
                if next == nil { next = Self.nextLine(text, after, isAtEnd) }
                return .fault(.closedEarly, at: open, line: line, next: next)
            } else if Self.isLineEnd(byte) {
                guard let after = Self.afterLineEnd(text, place, isAtEnd) else {
                    return .incomplete
                }
                place = after
                lines += 1
                if next == nil { next = after }
            } else {
                place += 1
            }
        }
        return isAtEnd ? .fault(.unclosed, at: open, line: line, next: next) : .incomplete
    }

    /// Where the next line begins; `nil` where the text does not tell.
    static func nextLine(_ text: Span<UInt8>, _ place: Int, _ isAtEnd: Bool) -> Int? {
        for index in place..<text.count where isLineEnd(text[index]) {
            return afterLineEnd(text, index, isAtEnd)
        }
        return nil
    }

    private static func afterLineEnd(
        _ text: Span<UInt8>,
        _ place: Int,
        _ isAtEnd: Bool
    ) -> Int? {
        guard text[place] == 0x0D else { return place + 1 }
        guard place + 1 < text.count else { return isAtEnd ? place + 1 : nil }
        return text[place + 1] == 0x0A ? place + 2 : place + 1
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
