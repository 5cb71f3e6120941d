import GearboxURL
import Testing

@Suite("The canonicaliser")
struct CanonicalizerTests {
    let canonicalizer = Canonicalizer(
        rules: CanonicalRules(origins: [
            OriginRules(
                name: "music",
                hosts: ["p1.music.126.net", "p2.music.126.net"],
                drop: ["utm_*"]
            ),
            OriginRules(name: "plain", hosts: ["plain.example"], dialect: .none),
        ])
    )

    @Test("rounds the short form up to its gears")
    func shortForm() throws {
        let request = try canonicalizer.request(
            for: "http://p2.music.126.net/a==/1.jpg?param=140y140&utm_source=app"
        )
        #expect(request.requestClass == .simple)
        #expect(
            request.canonical
                == "http://p2.music.126.net/a==/1.jpg?imageView=1&quality=89&thumbnail=180y180"
        )
        #expect(request.key == "/a==/1.jpg?imageView=1&quality=89&thumbnail=180y180")
        #expect(request.rawKey == "/a==/1.jpg?param=140y140&utm_source=app")
        #expect(request.origin == "music")
        #expect(request.source == "/a==/1.jpg")
        #expect(request.fetchURL == "http://p2.music.126.net/a==/1.jpg")
        #expect(request.requested?.box == Size(width: 140, height: 140))
        #expect(request.requested?.quality == 75)
        #expect(request.directives?.box == Size(width: 180, height: 180))
        #expect(request.directives?.quality == 89)
        #expect(request.directives?.mode == .y)
        #expect(request.unknownNames.isEmpty)
    }

    @Test("merges the kept unknown parameters into the written order and counts their names")
    func keptParameters() throws {
        let request = try canonicalizer.request(
            for: "http://h/a.jpg?type=JPEG&thumbnail=200x100&imageView&b=2&Zed=1&a=1&a=1&a&a=&a=0"
        )
        #expect(
            request.key
                == "/a.jpg?a=1&a&a=&a=0&b=2&imageView=1&quality=89&thumbnail=256x128&type=jpg&Zed=1"
        )
        #expect(request.source == "/a.jpg?a=1&a&a=&a=0&b=2&Zed=1")
        #expect(request.fetchURL == "http://h/a.jpg?a=1&a&a=&a=0&b=2&Zed=1")
        #expect(request.unknownNames == ["a", "b", "Zed"])
    }

    @Test("normalises scheme, host, port, path and fragment")
    func normalisation() throws {
        let request = try canonicalizer.request(
            for: "HTTP://P1.Music.126.NET:80/a/./b/../%7euser/c%2fd e.jpg?imageView#top"
        )
        #expect(request.canonical == "http://p1.music.126.net/a/~user/c%2Fd%20e.jpg")
        #expect(request.origin == "music")
        #expect(request.rawKey == "/a/./b/../%7euser/c%2fd e.jpg?imageView")
    }

    @Test(
        "leaves opaque URLs as they are",
        arguments: [
            "thumbnail=10x10|watermark", "thumbnail=10x10%7cwatermark", "param=1y1&?param=2y2",
            "quality=80&quality=81", "thumbnail=100y0", "crop=0_0_5_5", "watermark", "quality=-1",
            "type=bmp", "imageView=2", "axis=11_0", "thumbnail=4097x1", "enlarge=true",
        ]
    )
    func opaque(query: String) throws {
        let url = "http://p1.music.126.net/a.jpg?b=1&" + query
        let request = try canonicalizer.request(for: url)
        #expect(request.requestClass == .opaque)
        #expect(request.source == nil)
        #expect(request.directives == nil)
        let encoded = query.replacing("|", with: "%7C").replacing("%7c", with: "%7C")
        #expect(request.key == "/a.jpg?b=1&" + encoded)
        #expect(request.canonical == "http://p1.music.126.net/a.jpg?b=1&" + encoded)
        #expect(request.fetchURL == url.replacing("|", with: "%7C"))
    }

    @Test("relates a signed URL to its plain source only where it has no directives")
    func signed() throws {
        let plain = "http://h/b%7e.jpg?x=1&Signature=a%2bb&Expires=9&NOSAccessKeyId=k"
        let request = try canonicalizer.request(for: plain + "#f")
        #expect(request.requestClass == .signed)
        #expect(request.canonical == plain)
        #expect(request.fetchURL == plain)
        #expect(request.key == "/b~.jpg?x=1")
        #expect(request.source == "/b~.jpg?x=1")
        let sized = try canonicalizer.request(for: plain + "&param=10y10")
        #expect(sized.requestClass == .signed)
        #expect(sized.key == "/b~.jpg?x=1&param=10y10")
        #expect(sized.source == nil)
    }

    @Test("reads the parameters of a host without a dialect as its source's")
    func noDialect() throws {
        let request = try canonicalizer.request(for: "http://plain.example/a?q=1&param=10y10|x")
        #expect(request.requestClass == .simple)
        #expect(request.key == "/a?param=10y10%7Cx&q=1")
        #expect(request.source == request.key)
        #expect(request.directives == nil)
    }

    @Test("keeps a host that is called like an origin apart from it")
    func originNames() throws {
        let canonicalizer = Canonicalizer(
            rules: CanonicalRules(origins: [OriginRules(name: "b.example", hosts: ["a.example"])])
        )
        let listed = try canonicalizer.request(for: "http://a.example/1.jpg")
        let unlisted = try canonicalizer.request(for: "http://b.example/1.jpg")
        #expect(listed.origin == "b.example")
        #expect(unlisted.origin != listed.origin)
    }

    @Test(
        "names what is wrong with a URL that has no key",
        arguments: [
            ("a.jpg", RequestError.Code.noScheme), ("", .noScheme), ("//h/a", .noScheme),
            ("ftp://h/a", .unsupportedScheme), ("http:/h/a", .noHost), ("http:///a", .noHost),
            ("http://:80/a", .noHost), ("http://u:p@h/a", .userInfo), ("http://u@/", .userInfo),
            ("http://bücher.example/a", .badHost), ("http://h h/a", .badHost),
            ("http://h:1a/", .badHost), ("http://h:65536/", .badHost), ("http://[::1/", .badHost),
        ]
    )
    func errors(url: String, code: RequestError.Code) {
        let error = #expect(throws: RequestError.self) { try canonicalizer.request(for: url) }
        #expect(error?.code == code)
        #expect(error?.message.contains("\n") == false)
    }

    @Test("completes //host/ with the default scheme")
    func defaultScheme() throws {
        let canonicalizer = Canonicalizer(rules: CanonicalRules(defaultScheme: "https"))
        let request = try canonicalizer.request(for: "//h:443/a.jpg?Sign=1")
        #expect(request.fetchURL == "https://h:443/a.jpg?Sign=1")
        #expect(request.origin == "h")
    }

    @Test("takes bytes that are not UTF-8")
    func arbitraryBytes() throws {
        let bytes = Array("http://h/".utf8) + [0xB0, 0xA1, 0x00] + Array("?a=".utf8) + [0xFF]
        let request = try canonicalizer.request(for: bytes.span)
        #expect(request.key == "/%B0%A1%00?a=%FF")
        #expect(request.rawKey == "/%B0%A1\0?a=%FF")
    }

    @Test("keeps URLs that are longer than the buffer on the stack")
    func longURL() throws {
        let path = "/" + String(repeating: "p", count: 3000)
        let value = String(repeating: "v", count: 3000)
        let request = try canonicalizer.request(
            for: "http://h\(path)?zz=\(value)&param=10y10&a=\(value)"
        )
        #expect(request.source == "\(path)?a=\(value)&zz=\(value)")
        #expect(
            request.key
                == "\(path)?a=\(value)&imageView=1&quality=89&thumbnail=30y30&zz=\(value)"
        )
        #expect(request.canonical == "http://h" + request.key)
    }

    @Test("writes the URL of another key on the host that was given")
    func urlForKey() throws {
        let request = try canonicalizer.request(for: "https://H:8443/a.jpg?param=10y10")
        #expect(request.url(forKey: "/a.jpg") == "https://h:8443/a.jpg")
    }
}
