import Digest
import Fetching
import LoopbackServers
import Store
import Testing

@Suite("A digest that the manifest promises")
struct PromiseTests {
    private let scene: FetchScene
    private let fetcher: Fetcher
    private let old = Picture.gif(300)
    private let new = Picture.gif(300, filler: 1)

    init() throws {
        scene = try FetchScene()
        fetcher = scene.fetcher()
    }

    private func server() async throws -> ScriptedServer {
        try await ScriptedServer.start([
            "/a.gif": [.body(old, [("ETag", "\"1\"")]), .body(new, [("ETag", "\"1\"")])]
        ])
    }

    private func request(
        _ server: ScriptedServer,
        held: HeldOriginal,
        _ promise: PromisedDigest
    ) -> FetchRequest {
        FetchRequest(url: server.url("/a.gif"), path: "/a.gif", held: held, expected: promise)
    }

    @Test("needs no request where what is held has it", arguments: DigestAlgorithm.allCases)
    func kept(algorithm: DigestAlgorithm) async throws {
        let server = try await server()
        let plain = FetchRequest(url: server.url("/a.gif"), path: "/a.gif")
        let original = try await fetcher.fetch(plain).fetched()
        let promise = try ContentDigest(of: old.span, algorithm)
        #expect(await fetcher.fetch(request(server, held: original.held(), promise)).isTrusted)

        // Where the file is not kept, what an earlier run has found counts.
        var remembered = original.held(promise: promise)
        remembered.file = nil
        try scene.originals.remove(original.file)
        #expect(await fetcher.fetch(request(server, held: remembered, promise)).isTrusted)
        #expect(try await server.log().requests.count == 1)
        fetcher.shutDown()
    }

    @Test(
        "forces a whole body where what is held does not have it",
        arguments: DigestAlgorithm.allCases
    )
    func other(algorithm: DigestAlgorithm) async throws {
        let server = try await server()
        let plain = FetchRequest(url: server.url("/a.gif"), path: "/a.gif")
        let original = try await fetcher.fetch(plain).fetched()
        // Its data source was asked just now, and would answer that nothing has changed.
        let held = original.held(age: .zero, promise: try ContentDigest(of: old.span, algorithm))
        let promise = try ContentDigest(of: new.span, algorithm)
        let fetched = try await fetcher.fetch(request(server, held: held, promise)).fetched()
        #expect(try scene.bytes(fetched) == new)
        let asked = try await server.log().requests
        #expect(asked.count == 2)
        #expect(asked[1].headers["if-none-match"] == nil)
        fetcher.shutDown()
    }

    @Test("refuses a body that does not have it, also from a mirror")
    func refused() async throws {
        let server = try await server()
        try scene.put(old, inMirror: "a.gif")
        let plain = FetchRequest(url: server.url("/a.gif"), path: "/a.gif")
        let original = try await fetcher.fetch(plain).fetched()
        let promise = try ContentDigest(of: [1, 2, 3].span, .sha1)
        var request = request(server, held: original.held(), promise)
        for chain in [[DataSource.http], [.mirror(directory: scene.mirror)]] {
            request.chain = chain
            let error = try await fetcher.fetch(request).failed()
            #expect(error.code == .digestMismatch)
            #expect(!error.isTransient)
        }
        #expect(scene.cached() == [original.file])
        fetcher.shutDown()
    }

    @Test("is not kept by a file that is there and damaged")
    func damaged() async throws {
        let server = try await server()
        let plain = FetchRequest(url: server.url("/a.gif"), path: "/a.gif")
        let original = try await fetcher.fetch(plain).fetched()
        let promise = try ContentDigest(of: old.span, .md5)
        try scene.originals.remove(original.file)
        let held = original.held(promise: promise)
        _ = try await fetcher.fetch(request(server, held: held, promise)).failed()
        #expect(try await server.log().requests.count == 2)
        fetcher.shutDown()
    }
}
