import Testing
import Transfer

@Suite("URLs of transfers")
struct LocationTests {
    private static let base = "http://host.example:8080/a/b.jpg?x=1"

    @Test(
        "A Location is followed as a browser would",
        arguments: [
            ("/c.jpg", "http://host.example:8080/c.jpg"),
            ("c.jpg?y=2", "http://host.example:8080/a/c.jpg?y=2"),
            ("../c.jpg", "http://host.example:8080/c.jpg"),
            ("//other.example/c", "http://other.example/c"),
            ("https://Other.example/c#part", "https://Other.example/c"),
            ("?z", "http://host.example:8080/a/b.jpg?z"),
            ("/é.jpg", "http://host.example:8080/%C3%A9.jpg"),
            ("/%C3%A9 b.jpg", "http://host.example:8080/%C3%A9%20b.jpg"),
            ("/a%2520b.jpg", "http://host.example:8080/a%2520b.jpg"),
            ("/a|b.jpg?c|d", "http://host.example:8080/a|b.jpg?c|d"),
        ]
    )
    func follow(field: String, expected: String) throws {
        #expect(try Location(Self.base).following(field).url == expected)
    }

    @Test(
        "A URL is asked for as it was given",
        arguments: [
            "http://host.example/a/../b.jpg", "http://host.example/a%2fb%7Ec.jpg?q=%7e",
            "https://host.example/a?imageView&thumbnail=1x1|watermark&x=a?b",
            "http://host.example:81/",
        ]
    )
    func verbatim(url: String) throws {
        #expect(try Location(url).url == url)
    }

    @Test("The host is lower-case and without port and brackets")
    func host() throws {
        #expect(try Location("http://HOST.Example:81/A").host == "host.example")
        #expect(try Location("http://[::1]:81/A").host == "::1")
        #expect(try Location("http://2130706433/").host == "127.0.0.1")
        #expect(try Location("http://0x7f.1/").host == "127.0.0.1")
    }

    @Test(
        "What is not fetched is refused, without its secrets",
        arguments: [
            ("ftp://host.example/a", TransferError.Code.unsupportedProtocol),
            ("file:///etc/passwd", .unsupportedProtocol),
            ("http://user:secret@host.example/a?token=secret", .badURL),
            ("http://ho st.example/a?token=secret", .badURL),
            ("HTTPS://?token=secret", .badURL),
            ("a.jpg", .badURL),
            ("", .badURL),
            ("data:image/png;base64,AAAA", .unsupportedProtocol),
        ]
    )
    func refused(url: String, code: TransferError.Code) {
        let error = #expect(throws: TransferError.self) { try Location(url) }
        #expect(error?.code == code)
        #expect(error?.description.contains("secret") == false)
        #expect(error?.isTransient == false)
    }

    @Test("Redirects to what is not fetched say so")
    func refusedRedirect() {
        let error = #expect(throws: TransferError.self) {
            try Location(Self.base).following("file:///etc/passwd")
        }
        #expect(error?.code == .unsupportedProtocol)
        #expect(error?.message.contains("redirects to file") == true)
        let secret = #expect(throws: TransferError.self) {
            try Location(Self.base).following("http://user:secret@host.example/")
        }
        #expect(secret?.code == .badURL)
        #expect(secret?.description.contains("secret") == false)
    }

    @Test(
        "A URL is shown without what may be secret",
        arguments: [
            ("http://h/a?b=c", "http://h/a?..."), ("http://u:p@h/a", "http://h/a"),
            ("http://h/a#b?c", "http://h/a"), ("http://u:p@x@h?q", "http://h?..."),
            ("http://h/a@b", "http://h/a@b"), ("http://h/a\n\u{1B}[0m", "http://h/a??[0m"),
        ]
    )
    func shown(url: String, expected: String) {
        #expect(TransferError.shown(url) == expected)
    }
}
