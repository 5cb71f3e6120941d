import Foundation
import System
import TestSupport
import Testing

@Suite("Lines of a file")
struct LineReaderTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Every line, as text; one that is too long as its number.
    private func lines(_ text: String, longestLine: Int = 100, chunk: Int) throws -> [String] {
        try scratch.write(text, to: "a")
        var reader = LineReader(
            try FileReader(scratch.path + "/a"),
            longestLine: longestLine,
            chunk: chunk
        )
        var lines: [String] = []
        while try reader.fill() {
            while reader.advance() {
                lines.append(
                    reader.isTooLong
                        ? "line \(reader.number) is too long"
                        : String(decoding: reader.bytes[reader.line], as: UTF8.self)
                )
                #expect(reader.number == lines.count)
                #expect(!reader.isTooLong || reader.line.isEmpty)
            }
        }
        let hasMore = reader.advance()
        #expect(!hasMore)
        return lines
    }

    @Test("are the same however the file comes in pieces", arguments: [1, 2, 3, 5, 7, 64, 4_096])
    func pieces(chunk: Int) throws {
        let cases: [(String, [String])] = [
            ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]),
            ("a\r\nb\r\n", ["a", "b"]), ("\r\n\r\n", ["", ""]), ("a\rb\r\r\n", ["a\rb\r"]),
            ("a\r", ["a"]), ("\n\n\nabcdefgh\n", ["", "", "", "abcdefgh"]),
            ("a\0b\n\u{FEFF}c", ["a\0b", "\u{FEFF}c"]),
        ]
        for (text, expected) in cases {
            #expect(try lines(text, chunk: chunk) == expected, "\(Array(text.utf8))")
        }
    }

    @Test("are passed over where they are too long, and counted", arguments: [1, 4, 9, 64])
    func tooLong(chunk: Int) throws {
        let long = String(repeating: "x", count: 50)
        let text = "12345678\r\n123456789\n\(long)\n12345678\n\(long)\r\n1\n\(long)"
        #expect(
            try lines(text, longestLine: 8, chunk: chunk) == [
                "12345678", "line 2 is too long", "line 3 is too long", "12345678",
                "line 5 is too long", "1", "line 7 is too long",
            ]
        )
    }

    @Test("take no more memory than the longest of them")
    func memory() throws {
        try scratch.write(String(repeating: "y", count: 3_000_000) + "\nz", to: "a")
        var reader = LineReader(
            try FileReader(scratch.path + "/a"),
            longestLine: 10_000,
            chunk: 4_096
        )
        var count = 0
        while try reader.fill() { while reader.advance() { count += 1 } }
        #expect(count == 2)
        #expect(reader.bytes.count <= 16_384)
    }
}
