import Foundation
import LoopbackServers
import TestSupport
import Testing

@Suite("A run with --refresh or --dry-run")
struct RefreshTests {
    @Test("fetches and renders anew what matches, by key or URL, and nothing else")
    func refresh() async throws {
        let scene = try UpkeepScene(pictures: "ab")
        let pictures = try ["a", "b"].map { try scene.scratch.bytes(of: "origin/\($0).jpg") }
        let server = try await ScriptedServer.start([
            "/x/a.jpg": [.body(pictures[0], [("ETag", "\"1\"")])],
            "/y/b.jpg": [.body(pictures[1], [("ETag", "\"1\"")])],
        ])
        try scene.scratch.write(
            server.url("/x/a.jpg?param=30x30\n") + server.url("/y/b.jpg?param=30x30\n"),
            to: "urls.txt"
        )
        try scene.scratch.write(
            """
            { manifests: ["urls.txt"], cache: "cache",
              network: { allowPrivateAddresses: true, revalidate: "7d" } }
            """,
            to: "night.json5"
        )
        func run(_ arguments: String...) throws -> RunLines {
            let words = ["run", scene.scratch.file("night.json5"), "--quiet", "--json", "-"]
            return try RunLines(Program.run(Program.gearbox, words + arguments))
        }
        #expect(try run().status == 0)
        #expect(try run().entries.map(\.outcome) == ["reused", "reused"])
        for pattern in ["/x/*", "http://127.0.0.1:*/x/a.jpg"] {
            let asked = try await server.log().requests.count
            let refreshed = try run("--refresh", pattern)
            #expect(refreshed.entries.map(\.outcome) == ["produced", "reused"])
            #expect(refreshed.count("due refreshed", of: "plan") == 3)
            let requests = try await server.log().requests.dropFirst(asked)
            #expect(requests.map(\.target) == ["/x/a.jpg"])
            #expect(requests.allSatisfy { $0.headers["if-none-match"] == nil })
        }
        let asked = try await server.log().requests.count
        let none = try run("--refresh", "x", "--refresh", "*.png")
        #expect(none.run["reused"] == 2)
        #expect(none.errors.contains("no source that the manifests name matches"))

        let before = scene.scratch.files()
        let state = try scene.scratch.bytes(of: "cache/state.sqlite")
        let said = try Program.gearbox(
            "run",
            scene.scratch.file("night.json5"),
            "--dry-run",
            "--refresh",
            "/x/*"
        )
        #expect(said.status == 0)
        #expect(said.output.contains("1 held, 1 to fetch"), "\(said.output)")
        #expect(said.output.contains("1 sources, 3 variants"), "\(said.output)")
        let json = try Program.gearbox(
            "run",
            scene.scratch.file("night.json5"),
            "--dry-run",
            "--until",
            "plan",
            "--json",
            "-"
        )
        let stages = try JSONText(json.output).list("stages")?.compactMap { $0.text("stage") }
        #expect(stages == ["ingest", "canonicalize", "plan"])
        #expect(scene.scratch.files() == before)
        #expect(try scene.scratch.bytes(of: "cache/state.sqlite") == state)
        #expect(try await server.log().requests.count == asked)
    }

    @Test("asks again for what is known to fail")
    func known() async throws {
        let scene = try UpkeepScene(pictures: "a")
        let picture = try scene.scratch.bytes(of: "origin/a.jpg")
        let server = try await ScriptedServer.start(["/a.jpg": [.status(404), .body(picture)]])
        try scene.scratch.write(server.url("/a.jpg\n"), to: "urls.txt")
        try scene.scratch.write(
            """
            { manifests: ["urls.txt"], cache: "cache", network: { allowPrivateAddresses: true } }
            """,
            to: "night.json5"
        )
        let words = ["run", scene.scratch.file("night.json5"), "--quiet"]
        #expect(try Program.run(Program.gearbox, words).status == 1)
        #expect(try Program.run(Program.gearbox, words).status == 1)
        #expect(try Program.run(Program.gearbox, words + ["--refresh", "/a.jpg"]).status == 0)
    }
}
