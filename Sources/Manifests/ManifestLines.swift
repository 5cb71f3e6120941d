/// Cuts text into lines, which may end with CR, LF or CRLF, whatever pieces it comes in.
struct ManifestLines {
    /// The longest line that is read, in bytes.
    ///
    /// Of a longer one the beginning stays: a `data:` URL is known by it, and nothing more of it is
    /// needed.
    let longestLine: Int
    /// The line that is being read, from 1.
    private(set) var number = 1

    /// What earlier pieces have of the line.
    private var start: [UInt8] = []
    private var endedWithReturn = false
    private var isTooLong = false

    /// How much of a line that is too long is kept, in bytes.
    static let beginning = 256

    init(longestLine: Int) { self.longestLine = longestLine }

    /// Gives the lines that end in the next piece to `line`, each with its number and without its end;
    /// to `item` those that are too long.
    mutating func read(
        _ bytes: Span<UInt8>,
        item: (ManifestItem) throws -> Void,
        line: (Int, Span<UInt8>) throws -> Void
    ) throws {
        var begin = 0
        for index in 0..<bytes.count {
            let byte = bytes[index]
            guard byte == 0x0A || byte == 0x0D else { continue }
            if byte == 0x0A && endedWithReturn && index == begin && start.isEmpty {
                endedWithReturn = false
            } else {
                try end(bytes.extracting(begin..<index), item, line)
                endedWithReturn = byte == 0x0D
            }
            begin = index + 1
        }
        if begin < bytes.count {
            endedWithReturn = false
            keep(bytes.extracting(begin...))
        }
    }

    /// Ends the text: its last line need not end with a line end.
    mutating func finish(
        item: (ManifestItem) throws -> Void,
        line: (Int, Span<UInt8>) throws -> Void
    ) throws {
        let nothing: [UInt8] = []
        if !start.isEmpty || isTooLong { try end(nothing.span, item, line) }
    }

    private mutating func end(
        _ rest: Span<UInt8>,
        _ item: (ManifestItem) throws -> Void,
        _ line: (Int, Span<UInt8>) throws -> Void
    ) throws {
        defer {
            start.removeAll(keepingCapacity: true)
            isTooLong = false
            number += 1
        }
        if start.isEmpty && !isTooLong && rest.count <= longestLine {
            return try body(rest, line)
        }
        keep(rest)
        if isTooLong && !Self.isDataURL(start) {
            let reason = "the line is longer than \(longestLine) bytes"
            return try item(.bad(line: number, reason: reason))
        }
        let whole = start
        try body(whole.span, line)
    }

    private func body(
        _ text: Span<UInt8>,
        _ line: (Int, Span<UInt8>) throws -> Void
    ) throws {
        let passed = number == 1 ? try ByteOrderMark.count(in: text) : 0
        try line(number, text.extracting(passed...))
    }

    private static func isDataURL(_ beginning: [UInt8]) -> Bool {
        let text = ManifestText.trimmed(beginning.span)
        return ManifestEntry(line: 0, url: ManifestText.url(beginning.span.extracting(text)))
            .isDataURL
    }

    private mutating func keep(_ piece: Span<UInt8>) {
        if isTooLong || start.count + piece.count > longestLine {
            if !isTooLong, start.count < Self.beginning {
                start.append(piece.extracting(..<min(piece.count, Self.beginning - start.count)))
            }
            isTooLong = true
            start.removeLast(max(0, start.count - Self.beginning))
        } else {
            start.append(piece)
        }
    }
}
