import Foundation
import TestSupport
import Testing

/// A real server on loopback, through the built program.
@Suite("A pipeline over HTTP", .serialized)
struct NginxTests {
    private let scratch: Scratch
    private let nginx: Nginx
    private let cache: String

    init() throws {
        scratch = try Scratch()
        cache = scratch.path + "/cache"
        nginx = try Nginx(serving: "fixtures/origin")
        // The demo's manifest holds bytes that are not UTF-8, and hosts that this server is not.
        let demo = try Data(
            contentsOf: URL(fileURLWithPath: Program.root + "/fixtures/manifests/demo.txt")
        )
        let lines = String(decoding: demo, as: UTF8.self).split(whereSeparator: \.isNewline)
        let host = nginx.host
        let manifest = lines.filter { $0.contains(/^https?:\/\/p[123]\.music\.126\.net\//) }
            .map { $0.replacing(/^https?:\/\/[^\/]*/) { _ in "http://\(host)" } }
            .joined(separator: "\n")
        try scratch.write(manifest, to: "urls.txt")
        try scratch.write(
            """
            { manifests: ["urls.txt"], cache: "cache",
              origins: [{ name: "music", hosts: ["\(nginx.host)"],
                          parameters: { drop: ["utm_*"] } }],
              network: { allowPrivateAddresses: true, connectTimeout: 2 } }
            """,
            to: "http.json5"
        )
    }

    private func run() throws -> RunLines {
        try RunLines(
            Program.gearbox("run", scratch.path + "/http.json5", "--quiet", "--json", "-")
        )
    }

    @Test("makes the same as from a mirror, and asks only whether things changed the second time")
    func twice() throws {
        let first = try run()
        #expect((first.run["produced"] ?? 0) > 150, "\(first.errors)")
        let judged = try Program.python(
            "Tests/EndToEndTests/check.py",
            "--cache",
            cache,
            "--manifest",
            scratch.path + "/urls.txt",
            "--pipeline-facts",
            scratch.path + "/http.json5",
            "--files",
            "\(nginx.host)=fixtures/origin",
            "--facts",
            "fixtures/origin-facts.jsonl"
        )
        #expect(judged.status == 0, "\(judged.output)")

        let asked = try nginx.requests().count
        let second = try run()
        #expect(second.run["produced"] == 0)
        #expect(second.run["reused"] == first.run["produced"])
        let again = try nginx.requests().dropFirst(asked)
        let bodies = again.filter { $0.hasPrefix("200 ") }
        // What was refused is not held, so it is asked for again; nothing else has a body.
        #expect(bodies.allSatisfy { $0.contains("/broken/") }, "\(bodies)")
        #expect(again.contains { $0.hasPrefix("304 0 ") })
    }
}
