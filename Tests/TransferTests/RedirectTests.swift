import Foundation
import LoopbackServers
import Testing
import Transfer

@Suite("Redirects")
struct RedirectTests {
    @Test(
        "Every kind is followed, and the body is that of the end",
        arguments: [301, 302, 303, 307, 308]
    )
    func follow(status: Int) async throws {
        let server = try await ScriptedServer.start([
            "/a": [.redirect(to: "/b", status: status)],
            "/b": [.redirect(to: "c?x=1", status: status)],
            "/c": [.body(Array("end".utf8))],
        ])
        let client = TransferClient(.loopback)
        let collector = Collector()
        let response = try await client.get(server.url("/a"), collector).get()
        #expect(response.redirects == 2)
        #expect(response.head.url == server.url("/c?x=1"))
        #expect(collector.text == "end")
        client.shutDown()
    }

    @Test("Loops end at the limit, also one that sets a cookie")
    func loops() async throws {
        let server = try await ScriptedServer.start([
            "/a": [.redirect(to: "/b")], "/b": [.redirect(to: "/a")],
            "/self": [.status(302, "", [("Location", "/self"), ("Set-Cookie", "a=b")])],
        ])
        let client = TransferClient(.loopback)
        for path in ["/a", "/self"] {
            let error = await client.get(server.url(path)).error
            #expect(error?.code == .redirectLoop)
            #expect(error?.isTransient == false)
            #expect(error?.message.contains("more than 5 redirects") == true)
        }
        #expect(try await server.log().requests.count == 12)
        client.shutDown()
    }

    @Test("Exactly the limit is fine")
    func limit() async throws {
        var script: [String: [Step]] = ["/5": [.body([1])]]
        for hop in 0..<5 { script["/\(hop)"] = [.redirect(to: "/\(hop + 1)")] }
        let server = try await ScriptedServer.start(script)
        let client = TransferClient(.loopback)
        #expect(try await client.get(server.url("/0")).get().redirects == 5)
        client.shutDown()
    }

    @Test("The page behind a redirect does not count, however long it is")
    func longPage() async throws {
        let page = Array(repeating: UInt8(ascii: "x"), count: 1 << 20)
        let server = try await ScriptedServer.start([
            "/a": [
                .redirect(to: "/b").with {
                    $0.body = Data(page).base64EncodedString()
                    $0.times = 64
                }
            ],
            "/cut": [
                .redirect(to: "/b").with {
                    $0.body = Data(page).base64EncodedString()
                    $0.cutAfter = 10
                }
            ],
            "/b": [.body(Array("small".utf8))],
        ])
        let client = TransferClient(.loopback)
        for path in ["/a", "/cut"] {
            let collector = Collector()
            _ = try await client.get(server.url(path), collector, maximumBytes: 10).get()
            #expect(collector.text == "small")
        }
        client.shutDown()
    }

    @Test("A Location with raw bytes is asked for encoded, one that is encoded as it is")
    func rawBytes() async throws {
        let latin = Array("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /".utf8)
        let server = try await ScriptedServer.start([
            "/utf8": [.redirect(to: "/é.jpg")],
            "/latin": [.raw(latin + [0xE9] + Array(".jpg\r\n\r\n".utf8))],
            "/encoded": [.redirect(to: "/a%2520b.jpg")],
            "/%C3%A9.jpg": [.body([1])], "/%E9.jpg": [.body([1, 2])],
            "/a%2520b.jpg": [.body([1, 2, 3])],
        ])
        let client = TransferClient(.loopback)
        #expect(try await client.get(server.url("/utf8")).get().bodyBytes == 1)
        #expect(try await client.get(server.url("/latin")).get().bodyBytes == 2)
        #expect(try await client.get(server.url("/encoded")).get().bodyBytes == 3)
        client.shutDown()
    }

    @Test("Headers stay with their host; conditions go on")
    func headers() async throws {
        let other = try await ScriptedServer.start(["/b": [.body([1])]])
        let server = try await ScriptedServer.start([
            "/a": [.redirect(to: other.url("/b", host: "localhost"))],
            "/same": [.redirect(to: "/c")], "/c": [.body([1])],
        ])
        let client = TransferClient(.loopback)
        for path in ["/a", "/same"] {
            let request = TransferRequest(
                url: server.url(path),
                headers: [("Authorization", "Bearer secret"), ("X-Key", "secret")],
                entityTag: "\"1\"",
                maximumBytes: 10
            )
            _ = try await client.get(request).get()
        }
        let there = try await other.requests("/b")[0].headers
        #expect(there["authorization"] == nil)
        #expect(there["x-key"] == nil)
        #expect(there["if-none-match"] == "\"1\"")
        #expect(try await server.requests("/c")[0].headers["x-key"] == "secret")
        client.shutDown()
    }

    @Test("A redirect out of HTTP is refused")
    func otherScheme() async throws {
        let server = try await ScriptedServer.start(["/a": [.redirect(to: "file:///etc/passwd")]])
        let client = TransferClient(.loopback)
        #expect(await client.get(server.url("/a")).error?.code == .unsupportedProtocol)
        client.shutDown()
    }

    @Test("Headers of a request go to its own server only, not to another port of the same name")
    func secretsAndPorts() async throws {
        let other = try await ScriptedServer.start(["/b": [.body([1])]])
        let own = try await ScriptedServer.start([
            "/a": [.redirect(to: "/same")], "/same": [.redirect(to: other.url("/b"))],
        ])
        let client = TransferClient(.loopback)
        let request = TransferRequest(
            url: own.url("/a"),
            headers: [("X-Token", "secret")],
            maximumBytes: 10
        )
        _ = try await client.get(request).get()
        for path in ["/a", "/same"] {
            #expect(try await own.requests(path)[0].headers["x-token"] == "secret")
        }
        #expect(try await other.requests("/b")[0].headers["x-token"] == nil)
        client.shutDown()
    }
}
