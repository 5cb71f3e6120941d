import Manifests
import Testing

@Suite("A text manifest")
struct TextManifestTests {
    private func items(_ text: String) throws -> [ManifestItem] { try Reading.items(text, .text) }

    @Test("counts lines alike whatever ends them", arguments: ["\n", "\r\n", "\r"])
    func lineEnds(end: String) throws {
        let text = ["http://h/a", "", "# a comment", " http://h/b\t", "http://h/c"]
        let expected = [entry(1, "http://h/a"), entry(4, "http://h/b"), entry(5, "http://h/c")]
        #expect(try items(text.joined(separator: end)) == expected)
        #expect(try items(text.joined(separator: end) + end) == expected)
    }

    @Test("takes line ends of all kinds in one file")
    func mixedLineEnds() throws {
        #expect(
            try items("a\r\nb\rc\nd\n\re") == [
                entry(1, "a"), entry(2, "b"), entry(3, "c"), entry(4, "d"), entry(6, "e"),
            ]
        )
    }

    @Test("passes a byte order mark at the start, and only there")
    func byteOrderMark() throws {
        #expect(
            try items("\u{FEFF}http://h/a\n\u{FEFF}b") == [
                entry(1, "http://h/a"), entry(2, "\u{FEFF}b"),
            ]
        )
        #expect(try items("\u{FEFF}") == [])
    }

    @Test("keeps commas, fragments and inner blanks in the URL")
    func commas() throws {
        #expect(try items("http://h/a,b c.jpg#d") == [entry(1, "http://h/a,b c.jpg#d")])
    }

    @Test("keeps bytes that are not UTF-8 by encoding them")
    func notUTF8() throws {
        let line = Array("http://h/".utf8) + [0xB0, 0xA1, 0x0A] + Array("http://h/é".utf8)
        #expect(
            try Reading.items(line, ManifestShape(.text)) == [
                entry(1, "http://h/%B0%A1"), entry(2, "http://h/é"),
            ]
        )
    }

    @Test("reports a line that is too long, and goes on with the next")
    func longLine() throws {
        let long = String(repeating: "a", count: 65_536)
        let text = Array("\(long)\n\(long)b\nc".utf8)
        let found = try Reading.items(text, ManifestShape(.text), pieces: [1_000, 65_536])
        guard found.count == 3 else { Issue.record("\(found.count) items"); return }
        #expect(found[0] == entry(1, long))
        #expect(found[1] == .bad(line: 2, reason: "the line is longer than 65536 bytes"))
        #expect(found[2] == entry(3, "c"))
    }

    @Test("says of UTF-16 that it is, in either byte order", arguments: [true, false])
    func otherEncoding(isLittle: Bool) {
        let bytes = "\u{FEFF}http://h/a\n".utf16.flatMap { unit in
            isLittle
                ? [UInt8(unit & 255), UInt8(unit >> 8)] : [UInt8(unit >> 8), UInt8(unit & 255)]
        }
        for format in ManifestFormat.allCases {
            let found = Reading.error { try Reading.items(bytes, ManifestShape(format)) }
            #expect(found?.code == .otherEncoding)
        }
    }

    @Test("takes the beginning of a long data: URL, which is known by its scheme alone")
    func dataURLs() throws {
        let long = "Data:image/png;base64," + String(repeating: "A", count: 200_000)
        let found = try Reading.items(
            Array("  \(long)\nc".utf8),
            ManifestShape(.text),
            pieces: [1, 1_000, 65_536, 300_000]
        )
        guard case .entry(let first) = found.first else { Issue.record("\(found.count)"); return }
        #expect(first.isDataURL && first.line == 1 && long.hasPrefix(first.url))
        #expect(found.dropFirst() == [entry(2, "c")])
        for url in ["data:", "DATA:,x"] { #expect(ManifestEntry(line: 1, url: url).isDataURL) }
        for url in ["data", "data/a", "dat\u{1A}:", "datas:a", "http://h/data:"] {
            #expect(!ManifestEntry(line: 1, url: url).isDataURL)
        }
    }
}
