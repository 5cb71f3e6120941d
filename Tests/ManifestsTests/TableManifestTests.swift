import Manifests
import Testing

@Suite("A table")
struct TableManifestTests {
    private let digest = "md5:00112233445566778899aabbccddeeff"

    @Test("gives URLs, hashes and hits from columns in any order, whatever ends its lines")
    func columns() throws {
        for end in ["\n", "\r\n", "\r"] {
            for (format, separator) in [(ManifestFormat.csv, ","), (.tsv, "\t")] {
                let rows = [
                    ["hits", "id", " URL ", "Hash"], ["3", "a", " http://h/a ", ""], [""],
                    ["", "b", "http://h/b", digest.uppercased()], ["0", "", "http://h/\"c", ""],
                ]
                let text = rows.map { $0.joined(separator: separator) }.joined(separator: end)
                let expected = [
                    entry(2, "http://h/a", hits: 3), entry(4, "http://h/b", hash: digest),
                    entry(5, "http://h/\"c", hits: 0),
                ]
                #expect(try Reading.items("\u{FEFF}" + text, format) == expected)
                #expect(try Reading.items(text + end, format) == expected)
            }
        }
    }

    @Test("has line ends, separators and doubled quotes in quotes, and counts their lines")
    func quotes() throws {
        let text = "note,url\r\n\"one\r\ntwo\rthree\n\",\"http://h/a,\"\"b\"\"\"\r\n,http://h/c\r\n"
        #expect(
            try Reading.items(text, .csv) == [entry(2, "http://h/a,\"b\""), entry(6, "http://h/c")]
        )
    }

    @Test("costs one line where a quote is never closed, wherever the next one is")
    func unclosed() throws {
        let rows = (3...9).map { "\($0),\"http://h/\($0)\"\n" }.joined()
        for (bad, reason) in [
            ("2,\"http://h/2", "closes before its field ends"),
            ("2,\"http://h/2\"\"", "closes before its field ends"),
            ("2,\"http://h/2\" x", "closes before its field ends"),
        ] {
            let found = try Reading.items("id,url\n\(bad)\n\(rows)", .csv)
            #expect(found.badLines == [2])
            #expect("\(found)".contains(reason))
            #expect(found.urls == (3...9).map { "\($0) http://h/\($0)" })
        }
        let plain = (3...5000).map { "\($0),http://h/\($0)\n" }.joined()
        let found = try Reading.items(
            Array("id,url\n2,\"http://h/2\n\(plain)".utf8),
            ManifestShape(.csv),
            pieces: [999, 65_536, 1 << 20]
        )
        #expect(found.badLines == [2])
        #expect("\(found[0])".contains("never closed"))
        #expect(found.urls.count == 4_998)
    }

    @Test("costs the line where a quote opened below the start of its row")
    func unclosedBelow() throws {
        let text = "note,url\n\"a\nb\",\"http://h/1\n,http://h/2\n"
        let found = try Reading.items(text, .csv)
        #expect(found.badLines == [3])
        #expect(found.urls == ["4 http://h/2"])
    }

    @Test("goes on behind a field, a row and a URL that are too long")
    func long() throws {
        let field = String(repeating: "a", count: 70_000)
        let row = String(repeating: "b,", count: 600_000)
        let text =
            "url\n\"\(field)\"\r\n\(row)\nhttp://h/\(field)\r\n\"x\n\(field)\ny\"\nhttp://h/b"
        let found = try Reading.items(
            Array(text.utf8),
            ManifestShape(.csv),
            pieces: [10_000, 65_536, 1 << 20, 1 << 22]
        )
        // Where a quote is open for too long, what follows its line is read as rows.
        #expect(found.badLines == [2, 3, 4, 5, 6])
        #expect(found.urls == ["7 y\"", "8 http://h/b"])
    }

    @Test("refuses a row of other fields than the header's, which is a comma of a URL mostly")
    func fields() throws {
        let found = try Reading.items("url,hits\nhttp://h/a,b,1\nhttp://h/c\nhttp://h/d,2", .csv)
        #expect(
            found == [
                .bad(line: 2, reason: "3 fields, but the header has 2"),
                .bad(line: 3, reason: "1 field, but the header has 2"),
                entry(4, "http://h/d", hits: 2),
            ]
        )
    }

    @Test(
        "refuses what is no URL, hash or number, and says what it was",
        arguments: [
            (",,", "\"url\" is empty"), ("\"a\nb\",,", "the URL has a line break in it"),
            ("a,md5:12,", "md5:12"), ("a,sha512:00,", "sha256:, sha1: or md5:"),
            ("a,,-1", "-1"), ("a,,1.5", "1.5"), ("a,,1234567890123456789", "1234567890123456789"),
            ("a,,\u{0661}", "\u{0661}"),
        ]
    )
    func badFields(row: String, told: String) throws {
        let found = try Reading.items("url,hash,hits\n\(row)\nb,,2", .csv)
        guard found.count == 2, case .bad(2, let reason) = found[0] else {
            Issue.record("\(found)")
            return
        }
        #expect(reason.contains(told))
        #expect(!reason.contains("\n"))
    }

    @Test("needs a header row with the column, and says which columns there are")
    func header() {
        func message(_ text: String, column: String? = nil) -> String? {
            let error = Reading.error { try Reading.items(text, .csv, column: column) }
            #expect(error?.code == .noColumn && error?.subject == "m")
            return error?.message
        }
        #expect(message("")?.contains("is empty") == true)
        #expect(message("\n\n")?.contains("is empty") == true)
        #expect(message("http://h/a\nhttp://h/b")?.contains("\"http://h/a\"") == true)
        #expect(message("a,b\n", column: "link")?.contains("no column \"link\"") == true)
        #expect(message("url,URL\n")?.contains("twice") == true)
        #expect(message("a,\"url\nb,c\n")?.contains("line 1") == true)
    }

    @Test("takes the URL from the column that is named")
    func namedColumn() throws {
        #expect(try Reading.items("url,src\na,b", .csv, column: "src") == [entry(2, "b")])
    }

    @Test("keeps bytes that are not UTF-8 by encoding them")
    func notUTF8() throws {
        let bytes = Array("url\nhttp://h/".utf8) + [0xB0, 0xA1]
        #expect(
            try Reading.items(bytes, ManifestShape(.csv)) == [entry(2, "http://h/%B0%A1")]
        )
    }
}
