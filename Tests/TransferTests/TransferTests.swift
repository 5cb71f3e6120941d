import Foundation
import LoopbackServers
import Testing
import Transfer

@Suite("Transfers over HTTP/1.1")
struct TransferTests {
    private static let hello = Array("hello".utf8)

    @Test("A body and its headers come")
    func plain() async throws {
        let server = try await ScriptedServer.start([
            "/a": [
                .body(
                    Self.hello,
                    [("ETag", "\"1\""), ("Last-Modified", "Wed, 21 Oct 2015 07:28:00 GMT")]
                )
            ]
        ])
        let client = TransferClient(.loopback)
        let collector = Collector()
        let response = try await client.get(server.url("/a?x=1"), collector).get()
        #expect(response.head.status == 200)
        #expect(response.head.headers["etag"] == "\"1\"")
        #expect(response.head.headers["Last-Modified"] == "Wed, 21 Oct 2015 07:28:00 GMT")
        #expect(response.head.url == server.url("/a?x=1"))
        #expect(response.bodyBytes == 5)
        #expect(response.isEndCertain)
        #expect(response.redirects == 0)
        #expect(collector.text == "hello")
        let asked = try await server.requests("/a")
        #expect(asked[0].target == "/a?x=1")
        #expect(asked[0].headers["accept-encoding"] == "identity")
        #expect(asked[0].headers["user-agent"] == "gearbox")
        client.shutDown()
    }

    @Test("A connection is used again")
    func reuse() async throws {
        let server = try await ScriptedServer.start(["/a": [.body(Self.hello)]])
        let client = TransferClient(.loopback)
        for _ in 0..<5 { _ = try await client.get(server.url("/a")).get() }
        #expect(try await server.requests("/a").map(\.connection) == [1, 1, 1, 1, 1])
        client.shutDown()
    }

    @Test(
        "Any status but a redirect is a response",
        arguments: [204, 304, 403, 404, 429, 500, 503]
    )
    func statuses(status: Int) async throws {
        let text = status == 304 || status == 204 ? "" : "no"
        let server = try await ScriptedServer.start([
            "/a": [.status(status, text, [("Retry-After", "7")])]
        ])
        let client = TransferClient(.loopback)
        let collector = Collector()
        let response = try await client.get(server.url("/a"), collector).get()
        #expect(response.head.status == status)
        #expect(response.retryAfter == .seconds(7))
        #expect(collector.text == text)
        client.shutDown()
    }

    @Test("Conditions are sent with the request")
    func conditions() async throws {
        let server = try await ScriptedServer.start(["/a": [.body(Self.hello, [("ETag", "\"1\"")])]]
        )
        let client = TransferClient(.loopback)
        let request = TransferRequest(
            url: server.url("/a"),
            headers: [("X-Custom", "yes")],
            entityTag: "\"1\"",
            lastModified: "Wed, 21 Oct 2015 07:28:00 GMT",
            maximumBytes: 10
        )
        #expect(try await client.get(request).get().head.status == 304)
        let asked = try await server.requests("/a")[0].headers
        #expect(asked["if-none-match"] == "\"1\"")
        #expect(asked["if-modified-since"] == "Wed, 21 Oct 2015 07:28:00 GMT")
        #expect(asked["x-custom"] == "yes")
        client.shutDown()
    }

    @Test("A header with a line end is refused before anything is sent")
    func injection() async throws {
        let client = TransferClient(.loopback)
        let request = TransferRequest(
            url: "http://127.0.0.1:1/",
            headers: [("X-Custom", "a\r\nX-Other: secret")],
            maximumBytes: 10
        )
        let error = await client.get(request).error
        #expect(error?.code == .badRequest)
        #expect(error?.description.contains("secret") == false)
        client.shutDown()
    }

    @Test("A packed body is unpacked, though none was asked for")
    func packed() async throws {
        let server = try await ScriptedServer.start([
            "/a": [.body(Self.hello).with { $0.gzip = true }],
            "/b": [.body(Self.hello, [("Content-Encoding", "rot13")])],
        ])
        let client = TransferClient(.loopback)
        let collector = Collector()
        #expect(try await client.get(server.url("/a"), collector).get().bodyBytes == 5)
        #expect(collector.text == "hello")
        let error = await client.get(server.url("/b")).error
        #expect(error?.code == .badEncoding)
        #expect(error?.isTransient == false)
        client.shutDown()
    }

    @Test(
        "Every packing that libcurl knows is unpacked by its header",
        arguments: [
            ("gzip", "H4sIAAAAAAAAA8tIzcnJBwCGphA2BQAAAA=="),
            ("deflate", "eJzLSM3JyQcABiwCFQ=="), ("br", "CwKAaGVsbG8D"),
            ("zstd", "KLUv/SAFKQAAaGVsbG8="), ("identity", "aGVsbG8="),
        ]
    )
    func packings(name: String, body: String) async throws {
        let bytes = [UInt8](try #require(Data(base64Encoded: body)))
        let server = try await ScriptedServer.start([
            "/a": [.body(bytes, [("Content-Encoding", name)])]
        ])
        let client = TransferClient(.loopback)
        let collector = Collector()
        let response = try await client.get(server.url("/a"), collector).get()
        #expect(collector.text == "hello")
        #expect(response.isEndCertain == (name == "identity"))
        client.shutDown()
    }

    @Test("A packed body that ends too early is an error, or its end is not certain")
    func packedAndCut() async throws {
        let whole = try #require(Data(base64Encoded: "H4sIAAAAAAAAA8tIzcnJBwCGphA2BQAAAA=="))
        let server = try await ScriptedServer.start([
            "/a": [.body(Array(whole.prefix(14)), [("Content-Encoding", "gzip")])]
        ])
        let client = TransferClient(.loopback)
        switch await client.get(server.url("/a")) {
        case .success(let response): #expect(!response.isEndCertain && response.bodyBytes < 5)
        case .failure(let error): #expect(error.code == .badEncoding)
        }
        client.shutDown()
    }

    @Test("Bytes are counted as they come: packed, in chunks, without a length, or announced")
    func tooLarge() async throws {
        let megabyte = [UInt8](repeating: 0, count: 1 << 20)
        let server = try await ScriptedServer.start([
            "/packed": [
                .body(megabyte).with {
                    $0.gzip = true
                    $0.times = 8
                }
            ],
            "/chunked": [
                .body(megabyte).with {
                    $0.chunked = true
                    $0.times = 200
                }
            ],
            "/open": [
                .body(megabyte).with {
                    $0.noLength = true
                    $0.times = 200
                }
            ],
            "/announced": [.body(Self.hello).with { $0.length = 3_000_000 }],
            "/fits": [.body(Array(repeating: 1, count: 2_000_000))],
        ])
        let client = TransferClient(.loopback)
        for path in ["/packed", "/chunked", "/open", "/announced"] {
            let collector = Collector()
            let result = await client.get(server.url(path), collector, maximumBytes: 2_000_000)
            #expect(result.error?.code == .tooLarge, "\(path)")
            #expect(result.error?.isTransient == false)
            #expect(collector.bytes.count <= 2_000_000)
        }
        let fits = await client.get(server.url("/fits"), maximumBytes: 2_000_000)
        #expect(try fits.get().bodyBytes == 2_000_000)
        client.shutDown()
    }

    @Test("A body that is cut is told, whether its length was known or not")
    func cut() async throws {
        let server = try await ScriptedServer.start([
            "/length": [.body(Self.hello).with { $0.cutAfter = 3 }],
            "/chunked": [
                .body(Self.hello).with {
                    $0.cutAfter = 3
                    $0.chunked = true
                }
            ],
            "/open": [.body(Self.hello).with { $0.noLength = true }],
            "/reset": [.reset],
            "/nothing": [.raw([])],
            "/junk": [.raw(Array("\u{16}\u{3}no such protocol\r\n\r\n".utf8))],
        ])
        let client = TransferClient(.loopback)
        let expected: [(String, TransferError.Code)] = [
            ("/length", .partialBody), ("/chunked", .partialBody), ("/reset", .connectionReset),
            ("/nothing", .connectionReset), ("/junk", .badResponse),
        ]
        for (path, code) in expected {
            let error = await client.get(server.url(path)).error
            #expect(error?.code == code, "\(path): \(String(describing: error))")
            #expect(error?.isTransient == true, "\(path)")
        }
        #expect(try await client.get(server.url("/open")).get().isEndCertain == false)
        client.shutDown()
    }

    @Test("Nobody at the port, no such name, no such scheme")
    func unreachable() async throws {
        let client = TransferClient(.loopback)
        let none = await client.get("http://127.0.0.1:1/a?token=secret").error
        #expect(none?.code == .couldNotConnect)
        #expect(none?.subject == "http://127.0.0.1:1/a?...")
        #expect(none?.hostDidNotAnswer == true)
        #expect(none?.description.contains("secret") == false)
        let name = await client.get("http://no-such-host.invalid/").error
        #expect(name?.code == .couldNotResolve)
        #expect(name?.isTransient == true)
        #expect(await client.get("gopher://h/").error?.code == .unsupportedProtocol)
        client.shutDown()
    }

    @Test("A receiver that fails ends its transfer, one that has enough ends it well")
    func receivers() async throws {
        let server = try await ScriptedServer.start([
            "/a": [.body(Array(repeating: 7, count: 500_000))], "/b": [.body(Self.hello)],
        ])
        let client = TransferClient(.loopback)
        let failed = await client.get(server.url("/a"), Collector(failAfter: 1000)).error
        #expect(failed?.code == .receiverFailed)
        #expect(failed?.cause is Collector.Refusal)
        #expect(failed?.isTransient == false)
        let enough = try await client.get(server.url("/a"), Collector(enough: 1000)).get()
        #expect(enough.bodyBytes >= 1000 && enough.bodyBytes < 500_000)
        #expect(try await client.get(server.url("/b")).get().bodyBytes == 5)
        client.shutDown()
    }
}
