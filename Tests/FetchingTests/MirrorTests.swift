import Digest
import Fetching
import Foundation
import LoopbackServers
import Store
import Testing

@Suite("Originals in a mirror")
struct MirrorTests {
    let scene: FetchScene
    let fetcher: Fetcher

    init() throws {
        scene = try FetchScene()
        fetcher = scene.fetcher { $0.retry.attempts = 1 }
    }

    private func request(_ path: String, http: String? = nil) -> FetchRequest {
        FetchRequest(
            url: http ?? "http://host.invalid\(path)",
            path: path,
            chain: http == nil
                ? [.mirror(directory: scene.mirror)] : [.mirror(directory: scene.mirror), .http]
        )
    }

    @Test("A path is decoded once, and its query does not count")
    func path() async throws {
        try scene.put(Picture.gif(), inMirror: "a/é b%20.gif")
        let fetched = await fetcher.fetch(request("/a/%C3%A9%20b%2520.gif?imageView&x=1"))
        let original = try fetched.fetched()
        #expect(original.bytes == 100)
        #expect(original.format == .gif)
        #expect(original.finalURL == "http://host.invalid/a/%C3%A9%20b%2520.gif?imageView&x=1")
        #expect(original.validators.fileStamp?.hasPrefix("100-") == true)
        #expect(try scene.bytes(original) == Picture.gif())
    }

    @Test("What is held and unchanged is not read")
    func unchanged() async throws {
        try scene.put(Picture.gif(), inMirror: "a.gif")
        let original = try await fetcher.fetch(request("/a.gif")).fetched()
        var again = request("/a.gif")
        again.held = original.held()
        #expect(try await fetcher.fetch(again).unchanged() == original.validators)

        try scene.originals.remove(original.file)
        #expect(try await fetcher.fetch(again).fetched() == original)

        try scene.put(Picture.gif(filler: 1), inMirror: "a.gif")
        #expect(try await fetcher.fetch(again).fetched().digest != original.digest)
    }

    @Test(
        "Nothing outside of the mirror is read",
        arguments: [
            "/../secret.gif", "/%2e%2e/secret.gif", "/a/%2E%2E%2f..%2fsecret.gif",
            "/..%2Fsecret.gif",
            "/a/../../secret.gif", "//../secret.gif", "/link.gif", "/folder/secret.gif",
        ]
    )
    func outside(path: String) async throws {
        try Data(Picture.gif()).write(to: URL(fileURLWithPath: scene.path + "/secret.gif"))
        try scene.put(Picture.gif(), inMirror: "a/a.gif")
        for (name, target) in [("link.gif", "../secret.gif"), ("folder", "..")] {
            try FileManager.default.createSymbolicLink(
                atPath: scene.mirror + "/" + name,
                withDestinationPath: target
            )
        }
        let error = try await fetcher.fetch(request(path)).failed()
        #expect(error.code == .pathRefused)
        #expect(!error.isTransient)
        #expect(scene.cached().isEmpty)
    }

    @Test(
        "What is no file is not there",
        arguments: [
            "/none.gif", "/a", "/a/", "/", "/a/a.gif/", "/a%00.gif", "/%FF.gif", "/a/a.gif/b",
        ]
    )
    func missing(path: String) async throws {
        try scene.put(Picture.gif(), inMirror: "a/a.gif")
        let gone = try await fetcher.fetch(request(path)).gone()
        #expect(gone.httpStatus == nil)
        #expect(gone.reason == "not in the mirror \(scene.mirror)")
    }

    @Test("What the mirror does not have is asked for over HTTP")
    func chain() async throws {
        let server = try await ScriptedServer.start([
            "/a.gif": [.body(Picture.gif())], "/c.gif": [.status(410)], "/d.gif": [.status(503)],
        ])
        #expect(
            try await fetcher.fetch(request("/a.gif", http: server.url("/a.gif"))).fetched().bytes
                == 100
        )
        try scene.put(Picture.gif(200), inMirror: "b.gif")
        #expect(
            try await fetcher.fetch(request("/b.gif", http: server.url("/b.gif"))).fetched().bytes
                == 200
        )
        #expect(try await server.requests("/b.gif").isEmpty)

        let gone = try await fetcher.fetch(request("/c.gif", http: server.url("/c.gif"))).gone()
        #expect(gone.reason == "not in the mirror \(scene.mirror); HTTP 410")
        #expect(gone.httpStatus == 410)

        let failed = try await fetcher.fetch(request("/d.gif", http: server.url("/d.gif"))).failed()
        #expect(failed.isTransient)
        #expect(failed.message.contains("not in the mirror \(scene.mirror); "))
        #expect(failed.message.contains("HTTP 503"))
        #expect(failed.subject == server.url("/d.gif"))
    }

    @Test("A mirror that is not mounted is a failure, not a thousand originals that are gone")
    func noFolder() async throws {
        let missing = FetchRequest(
            url: "http://host.invalid/a",
            path: "/a",
            chain: [.mirror(directory: scene.path + "/nowhere")]
        )
        let error = try await fetcher.fetch(missing).failed()
        #expect(error.code == .unreadable)
        #expect(error.isTransient)
        #expect(!error.stopsTheRun)
        #expect(error.subject.hasSuffix("/nowhere"))
    }

    @Test("What a mirror has is judged as what a host sends")
    func judged() async throws {
        try scene.put(Array("<html>".utf8), inMirror: "html.gif")
        try scene.put([], inMirror: "empty.gif")
        try scene.put(Picture.gif(5000), inMirror: "large.gif")
        try scene.put(Picture.png, inMirror: "png.gif")
        let small = scene.fetcher { $0.maximumBytes = 4000 }
        let html = try await small.fetch(request("/html.gif")).failed()
        #expect(html.code == .unsupportedType)
        #expect(html.message == "the mirror has HTML: <html>")
        #expect(html.subject == scene.mirror + "/html.gif")
        #expect(try await small.fetch(request("/empty.gif")).failed().code == .emptyBody)
        #expect(try await small.fetch(request("/large.gif")).failed().code == .tooLarge)
        #expect(try await small.fetch(request("/png.gif")).fetched().file.hasSuffix(".png"))

        var promised = request("/png.gif")
        promised.expected = try ContentDigest(of: Picture.gif().span, .sha256)
        #expect(try await small.fetch(promised).failed().code == .digestMismatch)
        #expect(scene.cached().count == 1)
    }
}
