import Manifests
import Testing

@Suite("An access log")
struct AccessLogTests {
    private func line(
        _ request: String,
        _ status: Int = 200,
        before: String = "192.0.2.7 - -",
        after: String = " 2326 \"http://h/\" \"curl/7.88\""
    ) -> String {
        "\(before) [30/Nov/2026:13:55:36 +0000] \"\(request)\" \(status)\(after)\n"
    }

    private func items(_ text: String, base: String? = "https://i.test/") throws -> [ManifestItem] {
        try Reading.items(text, .clf, base: base)
    }

    @Test("gives what was got with 200 or 304, and counts the rest")
    func entries() throws {
        let text =
            line("GET /a.jpg?param=30y30 HTTP/1.1") + line("GET /b.jpg HTTP/2.0", 304, after: " -")
            + line("HEAD /a.jpg HTTP/1.1") + line("POST /a HTTP/1.1") + line("GET /c HTTP/1.1", 404)
            + line("GET /c HTTP/1.1", 206) + line("GETX /c HTTP/1.1") + line("-", 408)
            + line("\\x16\\x03\\x01\\x02", 400) + line("", 400) + line("GET", 400)
            + line("get /a HTTP/1.1") + "\n" + line("GET /d HTTP/1.0", after: "")
        #expect(
            try items(text) == [
                entry(1, "https://i.test/a.jpg?param=30y30"), entry(2, "https://i.test/b.jpg"),
                .skipped(.otherMethod), .skipped(.otherMethod), .skipped(.otherStatus),
                .skipped(.otherStatus), .skipped(.otherMethod), .skipped(.noRequest),
                .skipped(.noRequest), .skipped(.noRequest), .skipped(.noRequest),
                .skipped(.noRequest), entry(14, "https://i.test/d"),
            ]
        )
    }

    @Test(
        "gives the target as it was asked for",
        arguments: [
            ("/a b.jpg", "/a b.jpg"), ("/a%20b.jpg", "/a%20b.jpg"), ("/a HTTP/1.1", "/a HTTP/1.1"),
            (#"/\"a\".jpg"#, "/\"a\".jpg"), (#"/a\" 200 b"#, "/a\" 200 b"),
            (#"/\x22a\x22.jpg"#, "/\"a\".jpg"),
            (#"/a\\b"#, "/a\\b"), (#"/\xE4\xBD\xA0.jpg"#, "/你.jpg"), (#"/\xB0\xA1"#, "/%B0%A1"),
            (#"/a\tb\n"#, "/a\tb\n"), (#"/a\q\x2"#, #"/a\q\x2"#), (#"/a\xZZ"#, #"/a\xZZ"#),
            ("/raw\"quote\" 20 x", "/raw\"quote\" 20 x"), ("//a", "//a"), ("/[1]", "/[1]"),
        ]
    )
    func targets(written: String, meant: String) throws {
        let text = line("GET \(written) HTTP/1.1")
        #expect(try items(text) == [entry(1, "https://i.test" + meant)])
    }

    @Test("takes the host that a line names before the base, as vhost_combined and proxies do")
    func hosts() throws {
        let target = "GET /a.jpg HTTP/1.1"
        let text =
            line(target, before: "img.test:443 192.0.2.7 - -")
            + line(target, before: "img.test:80 ::1 - user name")
            + line(target, before: "[2001:db8::7]:8080 192.0.2.7 - -")
            + line("GET http://Other.test/a.jpg HTTP/1.1")
            // No hosts: a client of IPv6, and a user with a blank in the name.
            + line(target, before: "2001:db8::80 - -") + line(target, before: "::1 - john doe")
            + line(target, before: "h:x - john doe")
        #expect(
            try items(text).urls == [
                "1 https://img.test/a.jpg", "2 http://img.test/a.jpg",
                "3 http://[2001:db8::7]:8080/a.jpg", "4 http://Other.test/a.jpg",
                "5 https://i.test/a.jpg", "6 https://i.test/a.jpg", "7 https://i.test/a.jpg",
            ]
        )
    }

    @Test("asks for a base where its first request names no host; later ones are bad lines")
    func noBase() throws {
        let path = line("GET /a.jpg HTTP/1.1")
        let error = Reading.error { try items(line("-", 408) + path, base: nil) }
        #expect(error?.code == .noHost)
        #expect(error?.message.contains("line 2") == true)
        let found = try items(line("GET http://h/a HTTP/1.1") + path, base: nil)
        #expect(found.urls == ["1 http://h/a"])
        #expect(found.badLines == [2])
    }

    @Test("reports lines that are none, of any bytes, and goes on")
    func junk() throws {
        let bytes: [UInt8] =
            Array("junk\n".utf8) + [UInt8](repeating: 0, count: 5_000) + [0x0A, 0x16, 0x03, 0xFF]
            + Array("\n192.0.2.7 - - [] \"GET /a\n".utf8) + Array("\" \\\n".utf8)
            + Array(line("GET host.test:443 HTTP/1.1").utf8)
            + Array(String(repeating: "a", count: 70_000).utf8) + [0x0D]
            + Array(line("GET /z HTTP/1.1").utf8)
        var shape = ManifestShape(.clf)
        try shape.set(column: nil, base: "https://i.test")
        let found = try Reading.items(bytes, shape)
        #expect(found.badLines == [1, 2, 3, 4, 5, 6, 7])
        #expect(found.urls == ["8 https://i.test/z"])
    }
}
