import LoopbackServers
import TestSupport
import Testing

/// Hosts that keep a run waiting, through the built program.
@Suite("A host that keeps a run waiting")
struct SlowHostTests {
    private static let count = 30

    enum Trouble: String, CaseIterable {
        case slow, paused

        func step(_ index: Int) -> [Step] {
            let picture = Step.body(Array("GIF89a \(index)".utf8) + [0x3B])
            switch self {
            case .slow: return [picture.with { $0.delay = 0.2 }]
            case .paused:
                let busy = Step.status(503, "busy", [("Retry-After", "4")])
                return index == 0 ? [busy, picture] : [picture]
            }
        }
    }

    @Test("holds up no other, though all of its sources come first", arguments: Trouble.allCases)
    func others(trouble: Trouble) async throws {
        let scratch = try Scratch()
        func server(_ steps: (Int) -> [Step]) async throws -> ScriptedServer {
            let script = (0..<Self.count).map { ("/\($0).gif", steps($0)) }
            return try await ScriptedServer.start(Dictionary(uniqueKeysWithValues: script))
        }
        let waiting = try await server(trouble.step)
        let quick = try await server { [.body(Array("GIF89a q\($0)".utf8) + [0x3B])] }
        // Ports are one host: the limits count names.
        let urls = [(waiting, "127.0.0.1"), (quick, "localhost")].flatMap { server, host in
            (0..<Self.count).map { server.url("/\($0).gif\n", host: host) }
        }
        try scratch.write(urls.joined(), to: "urls.txt")
        try scratch.write(
            """
            { manifests: ["urls.txt"], cache: "cache", workers: 1,
              network: { allowPrivateAddresses: true, connections: 4, connectionsPerHost: 1 } }
            """,
            to: "night.json5"
        )
        let run = try Program.gearbox(
            "run",
            scratch.path + "/night.json5",
            "--until",
            "fetch",
            "--quiet"
        )
        #expect(run.status == 0, "\(run.errors)")
        let quickly = try await quick.log().requests
        let slowly = try await waiting.log().requests
        let last = try #require(quickly.last?.time)
        #expect(quickly.count == Self.count)
        let before = slowly.count { $0.time < last }
        #expect(before < Self.count / 2)
    }

    @Test("Hosts are many more than take part at a time, and all of their sources come")
    func manyHosts() throws {
        let scratch = try Scratch()
        // As many of each as are read at once, one less, one more.
        let paths = (0..<12).flatMap { host in
            (0..<(31 + host % 3)).map { (host: "h\(host).example", path: "/\(host)-\($0).gif") }
        }
        for (_, path) in paths { try scratch.write("GIF89a \(path);", to: "mirror" + path) }
        try scratch.write(paths.map { "http://\($0.host)\($0.path)\n" }.joined(), to: "urls.txt")
        let hosts = (0..<12).map { "\"h\($0).example\"" }.joined(separator: ", ")
        try scratch.write(
            """
            { manifests: ["urls.txt"], cache: "cache", workers: 1, network: { connections: 1 },
              origins: [{ name: "photos", hosts: [\(hosts)], sources: [{ mirror: "mirror" }] }] }
            """,
            to: "night.json5"
        )
        let run = try Program.gearbox(
            "run",
            scratch.path + "/night.json5",
            "--until",
            "fetch",
            "--quiet"
        )
        #expect(run.status == 0, "\(run.errors)")
        let fetched = scratch.files().count { $0.hasPrefix("cache/originals/") }
        #expect(fetched == paths.count)
    }
}
