internal import System

/// The lines of a text of URLs, as every command reads them: a byte order mark is passed over, blank
/// lines and those that begin with `#` say nothing, and one that is too long is an error.
///
/// It is read as a `LineReader` is.
struct URLLines: ~Copyable {
    enum Line {
        case nothing
        case tooLong(message: String)
        /// A range of `bytes`.
        case url(Range<Int>)
    }

    private var lines: LineReader

    /// Opens a file; `-` is standard input.
    init(_ file: String) throws {
        lines = LineReader(try FileReader(file))
    }

    var bytes: [UInt8] { lines.bytes }
    /// The number of the line, from 1.
    var number: Int { lines.number }

    mutating func fill() throws(SystemError) -> Bool { try lines.fill() }

    /// The next line; `nil` where more must be read first.
    mutating func next() -> Line? {
        guard lines.advance() else { return nil }
        if lines.isTooLong {
            return .tooLong(message: "the line is longer than \(lines.longestLine) bytes")
        }
        let line = withoutMark()
        let bytes = lines.bytes.span.extracting(line)
        return Self.saysNothing(bytes) ? .nothing : .url(line)
    }

    /// The line without the byte order mark that a file may begin with.
    private func withoutMark() -> Range<Int> {
        let line = lines.line
        let bytes = lines.bytes.span
        guard lines.number == 1, line.count >= 3, bytes[line.lowerBound] == 0xEF,
            bytes[line.lowerBound + 1] == 0xBB, bytes[line.lowerBound + 2] == 0xBF
        else { return line }
        return line.dropFirst(3)
    }

    static func saysNothing(_ line: Span<UInt8>) -> Bool {
        guard !line.isEmpty else { return true }
        if line[0] == UInt8(ascii: "#") { return true }
        for index in line.indices where line[index] != 0x20 && line[index] != 0x09 { return false }
        return true
    }
}
