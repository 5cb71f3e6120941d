import Digest
import Fetching
import Foundation
import LoopbackServers
import Store
import Testing

@Suite("Originals over HTTP")
struct HTTPFetchTests {
    let scene: FetchScene

    init() throws { scene = try FetchScene() }

    private func request(
        _ server: ScriptedServer,
        _ path: String = "/a.gif",
        held: HeldOriginal? = nil
    ) -> FetchRequest {
        FetchRequest(url: server.url(path), path: path, held: held)
    }

    @Test("An original comes with its digest, its true format and its validators")
    func fetch() async throws {
        let gif = Picture.gif(5000)
        let server = try await ScriptedServer.start([
            "/a.gif": [
                .body(
                    gif,
                    [
                        ("Content-Type", "text/html"), ("ETag", "\"1\""),
                        ("Last-Modified", "Wed, 21 Oct 2015 07:28:00 GMT"),
                        ("Cache-Control", "max-age=60"),
                    ]
                )
            ]
        ])
        let fetcher = scene.fetcher()
        let original = try await fetcher.fetch(request(server)).fetched()
        #expect(original.digest == (try ContentDigest(of: gif.span, .sha256)).hex)
        #expect(original.file == "originals/\(original.digest.prefix(2))/\(original.digest).gif")
        #expect(original.bytes == 5000)
        #expect(original.format == .gif)
        #expect(original.attempts == 1)
        #expect(original.finalURL == server.url("/a.gif"))
        #expect(
            original.validators
                == Validators(
                    entityTag: "\"1\"",
                    lastModified: "Wed, 21 Oct 2015 07:28:00 GMT",
                    cacheControl: "max-age=60"
                )
        )
        #expect(try scene.bytes(original) == gif)
        #expect(scene.cached() == [original.file])
        fetcher.shutDown()
    }

    @Test("What is held and unchanged costs no body", arguments: ["ETag", "Last-Modified"])
    func unchanged(header: String) async throws {
        let value = header == "ETag" ? "W/\"1\"" : "Wed, 21 Oct 2015 07:28:00 GMT"
        let server = try await ScriptedServer.start([
            "/a.gif": [.body(Picture.gif(), [(header, value)])]
        ])
        let fetcher = scene.fetcher()
        let original = try await fetcher.fetch(request(server)).fetched()
        let again = await fetcher.fetch(request(server, held: original.held()))
        #expect(try again.unchanged() == original.validators)
        fetcher.shutDown()
    }

    @Test("A validator that cannot be sent back is not kept, and one that was is not sent")
    func unsendable() async throws {
        let date = "Wed, 21 Oct 2015 07:28:00 GMT"
        let long = "\"" + String(repeating: "x", count: 2_000) + "\""
        let server = try await ScriptedServer.start([
            "/a.gif": [
                .body(Picture.gif(), [("ETag", "\"a\u{1}b\""), ("Last-Modified", date)]),
                .body(Picture.gif(), [("ETag", long), ("Last-Modified", "\u{7F}")]),
            ]
        ])
        let fetcher = scene.fetcher()
        let first = try await fetcher.fetch(request(server)).fetched()
        #expect(first.validators == Validators(lastModified: date))
        var held = first.held()
        held.validators = Validators(entityTag: "\"a\u{1}b\"", lastModified: "x\r\ny")
        let second = try await fetcher.fetch(request(server, held: held)).fetched()
        #expect(second.validators == Validators())
        let asked = try await server.requests("/a.gif")[1].headers
        #expect(asked["if-none-match"] == nil && asked["if-modified-since"] == nil)
        fetcher.shutDown()
    }

    @Test("A failure behind a redirect names the place that failed")
    func redirected() async throws {
        let far = try await ScriptedServer.start([
            "/gone": [.status(404)], "/no": [.status(403, "no")],
            "/text": [.status(200, "<html>")], "/dead": [.redirect(to: "http://127.0.0.1:1/x")],
        ])
        let server = try await ScriptedServer.start(
            Dictionary(
                uniqueKeysWithValues: ["/gone", "/no", "/text", "/dead"].map {
                    ($0, [Step.redirect(to: far.url($0) + "?s=secret")])
                }
            )
        )
        let fetcher = scene.fetcher { $0.retry.attempts = 1 }
        let hop = { (path: String) in " at \(far.url(path))?..., where it redirects" }
        let gone = try await fetcher.fetch(request(server, "/gone")).gone()
        #expect(gone.reason == "HTTP 404" + hop("/gone"))
        let no = try await fetcher.fetch(request(server, "/no")).failed()
        #expect(no.message == "HTTP 403" + hop("/no") + ": no")
        let text = try await fetcher.fetch(request(server, "/text")).failed()
        #expect(text.message.hasSuffix(hop("/text")))
        let dead = try await fetcher.fetch(request(server, "/dead")).failed()
        #expect(dead.message.hasSuffix(" at http://127.0.0.1:1/x, where it redirects"))
        fetcher.shutDown()
    }

    @Test("Messages say what a server does that it should not")
    func oddities() async throws {
        let server = try await ScriptedServer.start([
            "/packed": [.body(Picture.gif(), [("Content-Encoding", "x-odd")])],
            "/damaged": [.body(Picture.gif(), [("Content-Encoding", "gzip")])],
            "/part": [.body(Picture.gif()).with { $0.status = 206 }],
            "/nowhere": [.redirect(to: "").with { $0.body = nil }],
        ])
        let fetcher = scene.fetcher { $0.retry.attempts = 1 }
        for (path, message) in [
            ("/packed", "its Content-Encoding \"x-odd\" is not known; none was asked for"),
            ("/damaged", "the body is not what its Content-Encoding \"gzip\" says, or is damaged"),
            ("/part", "HTTP 206"), ("/nowhere", "HTTP 302 without a Location"),
        ] {
            let error = try await fetcher.fetch(request(server, path)).failed()
            #expect(error.message == message)
        }
        fetcher.shutDown()
    }

    @Test("What is held but lost or damaged is fetched whole again")
    func lost() async throws {
        let server = try await ScriptedServer.start([
            "/a.gif": [.body(Picture.gif(), [("ETag", "\"1\"")])]
        ])
        let fetcher = scene.fetcher()
        let original = try await fetcher.fetch(request(server)).fetched()
        let file = URL(fileURLWithPath: scene.originals.path(of: original.file))
        for damage in [Data(), Data([1, 2, 3]), nil] {
            if let damage {
                try damage.write(to: file)
            } else {
                try scene.originals.remove(original.file)
            }
            let again = await fetcher.fetch(request(server, held: original.held()))
            #expect(try again.fetched().digest == original.digest)
            #expect(scene.originals.holds(original.file, bytes: 100))
        }
        // Where originals are not kept, nothing is missing.
        var held = original.held()
        held.file = nil
        try scene.originals.remove(original.file)
        _ = try await fetcher.fetch(request(server, held: held)).unchanged()
        fetcher.shutDown()
    }

    @Test("What has changed comes as another original")
    func changed() async throws {
        let server = try await ScriptedServer.start([
            "/a.gif": [
                .body(Picture.gif(), [("ETag", "\"1\"")]),
                .body(Picture.gif(200), [("ETag", "\"2\"")]),
            ]
        ])
        let fetcher = scene.fetcher()
        let original = try await fetcher.fetch(request(server)).fetched()
        let changed = try await fetcher.fetch(request(server, held: original.held())).fetched()
        #expect(changed.digest != original.digest)
        #expect(changed.validators.entityTag == "\"2\"")
        fetcher.shutDown()
    }

    @Test("Revalidation may trust what the host or the pipeline allows")
    func trusted() async throws {
        let server = try await ScriptedServer.start([
            "/a.gif": [.body(Picture.gif(), [("Cache-Control", "public, max-age=3600")])]
        ])
        let fetcher = scene.fetcher { $0.revalidation = .cacheControl }
        let original = try await fetcher.fetch(request(server)).fetched()
        let fresh = request(server, held: original.held(age: .seconds(3000)))
        #expect(await fetcher.fetch(fresh).isTrusted)
        #expect(try await server.log().requests.count == 1)
        let stale = request(server, held: original.held(age: .seconds(4000)))
        _ = try await fetcher.fetch(stale).fetched()
        fetcher.shutDown()
    }

    @Test(
        "A body that is no picture is refused for good, and the message says what it is",
        arguments: [
            (
                "<!DOCTYPE html><title>not here", "unsupported-type",
                "200 with HTML: <!DOCTYPE html>"
            ),
            (
                "\n\t<html>\u{1B}[31m\r\n  é", "unsupported-type",
                "HTML: <html>\\u{1B}[31m \\u{00E9}"
            ),
            ("{\"error\": 1}", "unsupported-type", "200 with JSON: {\"error\": 1}"),
            ("sorry", "unsupported-type", "200 with no known type: sorry"),
            ("\0\0\0\u{18}ftypisom\0\0\0\0isom", "unsupported-type", "200 with mp4"),
            ("<svg xmlns='x'>", "unsupported-type", "200 with SVG"),
            ("%PDF-1.4", "unsupported-type", "200 with PDF"),
            ("", "empty-body", "200 with an empty body"),
        ]
    )
    func noPicture(body: String, code: String, message: String) async throws {
        let server = try await ScriptedServer.start([
            "/a.gif": [.body(Array(body.utf8), [("Content-Type", "image/gif")])]
        ])
        let fetcher = scene.fetcher()
        let error = try await fetcher.fetch(request(server)).failed()
        #expect(error.code.rawValue == code)
        #expect(error.message.contains(message), "\(error.message)")
        #expect(!error.isTransient)
        #expect(error.attempts == 1)
        #expect(!error.stopsTheRun)
        #expect(scene.cached().isEmpty)
        fetcher.shutDown()
    }

    @Test("A long film is given up after its first bytes")
    func film() async throws {
        let film = Array("\0\0\0\u{18}ftypisom".utf8) + Array(repeating: 0, count: 1 << 20)
        let server = try await ScriptedServer.start([
            "/a.gif": [
                .body(film).with {
                    $0.times = 1000
                    $0.chunked = true
                }
            ]
        ])
        let fetcher = scene.fetcher { $0.maximumBytes = 100_000 }
        #expect(try await fetcher.fetch(request(server)).failed().code == .unsupportedType)
        fetcher.shutDown()
    }

    @Test(
        "404 and 410 are gone, also with a long page; no other host is asked",
        arguments: [404, 410]
    )
    func gone(status: Int) async throws {
        let page = String(repeating: "<p>not here</p>", count: 20_000)
        let server = try await ScriptedServer.start([
            "/a.gif": [.status(status, page)], "/other.gif": [.body(Picture.gif())],
        ])
        let fetcher = scene.fetcher()
        var request = request(server)
        request.otherHosts = [server.url("/other.gif")]
        let gone = try await fetcher.fetch(request).gone()
        #expect(gone.httpStatus == status)
        #expect(gone.reason == "HTTP \(status)")
        fetcher.shutDown()
    }

    @Test(
        "Other refusals are permanent, with at most 80 characters of the page",
        arguments: [401, 403, 400]
    )
    func refused(status: Int) async throws {
        let page = "<h1>\u{7}forbidden</h1>" + String(repeating: "x", count: 200_000)
        let server = try await ScriptedServer.start(["/a.gif": [.status(status, page)]])
        let fetcher = scene.fetcher()
        let error = try await fetcher.fetch(request(server, "/a.gif")).failed()
        #expect(error.code == .httpStatus)
        #expect(error.httpStatus == status)
        #expect(!error.isTransient)
        #expect(error.message.hasPrefix("HTTP \(status): <h1>\\u{07}forbidden</h1>xxx"))
        #expect(error.message.count <= "HTTP 400: ".count + 80)
        #expect(try await server.log().requests.count == 1)
        fetcher.shutDown()
    }

    @Test("The digest that the manifest promises is held against the bytes")
    func promised() async throws {
        let server = try await ScriptedServer.start(["/a.gif": [.body(Picture.gif())]])
        let fetcher = scene.fetcher()
        var request = request(server)
        request.expected = try ContentDigest(of: Picture.gif().span, .md5)
        _ = try await fetcher.fetch(request).fetched()
        request.expected = try ContentDigest("sha1:a9993e364706816aba3e25717850c26c9cd0d89d")
        let error = try await fetcher.fetch(request).failed()
        #expect(error.code == .digestMismatch)
        #expect(!error.isTransient)
        #expect(error.message.contains("not the promised sha1:"))
        #expect(scene.cached().count == 1)
        fetcher.shutDown()
    }

    @Test("Too many bytes are refused for good, and none stay")
    func tooLarge() async throws {
        let server = try await ScriptedServer.start([
            "/a.gif": [.body(Picture.gif(300_000)).with { $0.chunked = true }]
        ])
        let fetcher = scene.fetcher { $0.maximumBytes = 200_000 }
        let error = try await fetcher.fetch(request(server)).failed()
        #expect(error.code == .tooLarge)
        #expect(error.attempts == 1)
        #expect(scene.cached().isEmpty)
        fetcher.shutDown()
    }

    @Test("A store that cannot be written is a matter for the run")
    func brokenStore() async throws {
        let server = try await ScriptedServer.start(["/a.gif": [.body(Picture.gif())]])
        let fetcher = scene.fetcher()
        try FileManager.default.removeItem(atPath: scene.path + "/cache")
        var request = request(server)
        try scene.put(Picture.gif(), inMirror: "a.gif")
        request.chain = [.http, .mirror(directory: scene.mirror)]
        for chain in [request.chain, request.chain.reversed()] {
            request.chain = chain
            let error = try await fetcher.fetch(request).failed()
            #expect(error.code == .store)
            #expect(error.stopsTheRun)
            #expect(error.attempts == 1)
        }
        fetcher.shutDown()
    }

    @Test("Secrets of a URL and of headers are in no message")
    func secrets() async throws {
        let page = "<html>/a.gif?token=secret-1234567 is not for secret-7654321"
        let server = try await ScriptedServer.start([
            "/a.gif": [.status(403, page)], "/b.gif": [.body(Array(page.utf8))],
        ])
        let fetcher = scene.fetcher { $0.retry.attempts = 1 }
        for url in [server.url("/a.gif"), server.url("/b.gif"), "http://127.0.0.1:1/a.gif"] {
            let query = "?token=secret-1234567"
            var request = FetchRequest(url: url + query, path: "/a.gif" + query)
            request.headers = [("Authorization", "Bearer secret-7654321")]
            request.chain = [.mirror(directory: scene.mirror), .http]
            let error = try await fetcher.fetch(request).failed()
            #expect(!"\(error)".contains("secret"))
        }
        fetcher.shutDown()
    }
}
