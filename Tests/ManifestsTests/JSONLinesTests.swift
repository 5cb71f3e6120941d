import Manifests
import Testing

@Suite("A manifest of JSON Lines")
struct JSONLinesTests {
    private func items(_ text: String) throws -> [ManifestItem] { try Reading.items(text, .jsonl) }

    @Test("gives the three keys of each object, and passes the others")
    func keys() throws {
        let digest = "sha1:" + String(repeating: "0a", count: 20)
        let text = """
            \u{FEFF}{"url": "http:\\/\\/h\\/\\u00e9\\ud83d\\ude00"}
            {"more": [1, -2.5e+3, {"url": "no"}, [], {}, true, null], "hits": 12, "url": " http://h/b "}\r

            {"url":"http://h/c","hash":"\(digest)","hits":null}
            {"hash":null,"url":"http://h/d","hits":0,"url2":"x"}
            """
        #expect(
            try items(text) == [
                entry(1, "http://h/é😀"), entry(2, "http://h/b", hits: 12),
                entry(4, "http://h/c", hash: digest), entry(5, "http://h/d", hits: 0),
            ]
        )
    }

    @Test("takes the URL from the key that is named")
    func namedKey() throws {
        let text = #"{"url": "a", "image \"1\"": "b"}"#
        #expect(try Reading.items(text, .jsonl, column: "image \"1\"") == [entry(1, "b")])
    }

    @Test(
        "refuses a line that is no such object, and goes on",
        arguments: [
            "[]", "\"http://h/a\"", "http://h/a", "{\"url\":\"a\"", "{\"url\":\"a\"}}", "{}",
            "{\"url\":1}", "{\"url\":null}", "{\"url\":\"\"}", "{\"url\":\"a\",}", "{'url':'a'}",
            "{\"url\":\"a\nb\"}", "{\"url\":\"a\\nb\"}", "{\"url\":\"\\ud800\"}",
            "{\"url\":\"\\ud800\\u0041\"}", "{\"url\":\"\\x41\"}", "{\"url\":\"a\",\"hits\":\"3\"}",
            "{\"url\":\"a\",\"hits\":1.5}", "{\"url\":\"a\",\"hits\":-1}",
            "{\"url\":\"a\",\"x\":01}",
            "{\"url\":\"a\",\"hits\":true}", "{\"url\":\"a\",\"hash\":\"md5:0\"}",
            "{\"url\":\"a\",\"hash\":5}", "{\"url\":\"a\",\"x\":NaN}", "{\"url\":\"a\tb\"}", "{",
            "{\"url\":\"a\",\"x\":\(String(repeating: "[", count: 100_000))}",
        ]
    )
    func bad(line: String) throws {
        let found = try items("\(line)\n{\"url\":\"z\"}")
        let last = line.contains("\n") ? 3 : 2
        #expect(found.badLines == Array(1..<last))
        #expect(found.urls == ["\(last) z"])
    }

    @Test("tells a key that is missing from one that is empty")
    func missing() throws {
        let found = try items("{\"uri\":\"http://h/a\"}\n{\"url\":\" \"}")
        #expect(
            found == [
                .bad(line: 1, reason: "has no \"url\""), .bad(line: 2, reason: "\"url\" is empty"),
            ]
        )
    }

    @Test("passes a picture in a line over, up to the longest line that is read")
    func dataURL() throws {
        let picture = "data:image/png;base64," + String(repeating: "A", count: 900_000)
        let found = try items("{\"url\":\"\(picture)\"}\n{\"url\":\"z\"}")
        #expect(found.badLines == [])
        #expect(found.urls.map { String($0.prefix(24)) } == ["1 data:image/png;base64,", "2 z"])
    }

    @Test("refuses a line that is not UTF-8 or too long, and goes on")
    func notUTF8() throws {
        let long = String(repeating: " ", count: 1 << 20)
        let text =
            Array("{\"url\":\"".utf8) + [0xB0, 0xA1] + Array("\"}\n{\(long)}\n{\"url\":\"z\"}".utf8)
        let found = try Reading.items(text, ManifestShape(.jsonl), pieces: [1_000, 1 << 22])
        #expect(found.badLines == [1, 2])
        #expect(found.urls == ["3 z"])
    }
}
