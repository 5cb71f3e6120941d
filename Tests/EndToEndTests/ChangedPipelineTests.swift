import TestSupport
import Testing

/// What a change of the pipeline, the manifest or the pictures makes due: exactly the difference.
@Suite("The next night", .serialized)
struct ChangedPipelineTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.write("", to: "origin/none")
        try picture("a.jpg", "red")
        try picture("b.jpg", "blue")
        try scratch.writeManifest(["a.jpg?param=100y100", "b.jpg?param=100y100"])
    }

    private func picture(_ name: String, _ colour: String) throws {
        let script =
            "from PIL import Image; import sys; Image.new('RGB', (400, 300), sys.argv[2]).save(sys.argv[1])"
        let drawn = try Program.python("-c", script, scratch.path + "/origin/" + name, colour)
        try #require(drawn.status == 0, "\(drawn.errors)")
    }

    private func run(_ variants: String = "", _ arguments: String...) throws -> RunLines {
        try scratch.runMirror(variants: variants, arguments)
    }

    @Test("makes what a mode, a format or a setting adds, and nothing else")
    func settings() throws {
        #expect(try run("modes: ['y']").run["variantsMade"] == 2)
        #expect(try run("modes: ['y', 'x']").run["variantsMade"] == 2)
        #expect(try run("modes: ['y', 'x']").run["variantsMade"] == 0)
        #expect(try run("modes: ['y'], formats: ['webp']").run["variantsMade"] == 2)
        #expect(try scratch.index("SELECT count(*) FROM variant") == ["6"])
        // Only the files that a setting changes are made again.
        let both = "modes: ['y'], formats: ['webp', 'jpg']"
        #expect(try run(both).run["variantsMade"] == 2)
        #expect(try run(both + ", effort: { webp: 2 }").run["variantsMade"] == 2)
        #expect(try run(both + ", effort: { webp: 2, avif: 9 }").run["variantsMade"] == 0)
        let other = ", effort: { webp: 2 }, background: '#000000', animation: 'keep'"
        #expect(try run(both + other).run["variantsMade"] == 0)
    }

    @Test("remakes all variants of a picture that has changed, and of no other")
    func changedPicture() throws {
        _ = try run()
        let before = try scratch.index("SELECT path, version FROM source ORDER BY path")
        try picture("a.jpg", "green")
        #expect(try run().run["variantsMade"] == 3)
        let after = try scratch.index("SELECT path, version FROM source ORDER BY path")
        #expect(after[0] != before[0])
        #expect(after[1] == before[1])
        // A variant that nobody asks for this time is remade too: never old beside new.
        try scratch.writeManifest(["a.jpg?param=60x60"])
        _ = try run("modes: ['x']")
        try picture("a.jpg", "yellow")
        #expect(try run("modes: ['x']").run["variantsMade"] == 4)
    }

    @Test("keeps serving what its origin has lost, marked as stale")
    func lostPicture() throws {
        _ = try run()
        _ = try Program.run("/bin/rm", [scratch.path + "/origin/a.jpg"])
        let second = try run()
        #expect(second.status == 1)
        #expect(second.entries.first?.reason == "gone")
        #expect(
            try scratch.index("SELECT path, stale FROM source ORDER BY path") == [
                "/a.jpg 1", "/b.jpg 0",
            ]
        )
        #expect(try scratch.index("SELECT count(*) FROM variant") == ["6"])
        try picture("a.jpg", "red")
        #expect(try run().run["reused"] == 2)
        #expect(try scratch.index("SELECT sum(stale) FROM source") == ["0"])
    }

    @Test("publishes nothing where what is new is gone")
    func newAndGone() throws {
        let generation = "SELECT value FROM meta WHERE name = 'generation'"
        try scratch.writeManifest(["a.jpg?param=100y100", "b.jpg?blur"])
        _ = try run()
        let before = try scratch.index(generation)
        // One that was never there, and one of which an index says nothing when it goes.
        try scratch.writeManifest(["a.jpg?param=100y100", "c.jpg?param=60y60", "b.jpg?blur"])
        _ = try Program.run("/bin/rm", [scratch.path + "/origin/b.jpg"])
        let second = try run()
        #expect(second.entries.compactMap(\.reason).contains("gone"))
        #expect(try scratch.index(generation) == before)
        // A mirror is asked each night.
        let gone = second.entries.first { $0.reason == "gone" }
        #expect(gone?.message?.contains("not asked for again") == false)
        try picture("c.jpg", "green")
        #expect(try run().count("published", of: "publish") == 1)
        #expect(try scratch.index("SELECT count(*) FROM alias").first != "0")
    }

    @Test("keeps serving what is published when the state was lost and nothing can be had")
    func lostState() throws {
        _ = try run()
        _ = try Program.run(
            "/bin/bash",
            ["-c", "rm cache/state.sqlite* origin/*"],
            in: scratch.path
        )
        #expect(try run().run["failed"] == 2)
        #expect(try scratch.index("SELECT count(*) FROM variant") == ["6"])
        try picture("a.jpg", "red")
        _ = try run()
        #expect(try scratch.index("SELECT count(*) FROM variant") == ["6"])
        #expect(try scratch.index("SELECT sum(stale) FROM source") == ["1"])
        #expect(try scratch.index("SELECT value FROM meta WHERE name = 'generation'") == ["3"])
    }

    @Test("publishes again when only the aliases are to go")
    func aliases() throws {
        _ = try run()
        #expect(try scratch.index("SELECT count(*) FROM alias") == ["2"])
        let text = try scratch.read("p.json5").replacing("cache: ", with: "aliases: false, cache: ")
        try scratch.write(text, to: "p.json5")
        _ = try Program.gearbox("run", scratch.path + "/p.json5", "--quiet")
        #expect(try scratch.index("SELECT count(*) FROM alias") == ["0"])
    }

    @Test(
        "gives an alias to what the rules in force make of it, also when they are as before again"
    )
    func aliasUnderOtherRules() throws {
        try scratch.writeManifest(["a.jpg?v=1&b=2&param=100y100"])
        for (drop, path) in [("x", "/a.jpg?b=2&v=1"), ("v", "/a.jpg?b=2"), ("x", "/a.jpg?b=2&v=1")]
        {
            try scratch.write(
                """
                { manifests: ["urls.txt"], cache: "cache", variants: { modes: ["y"] },
                  origins: [{ name: "o", hosts: ["h"], sources: [{ mirror: "origin" }],
                              parameters: { drop: ["\(drop)"] } }] }
                """,
                to: "p.json5"
            )
            let run = try Program.gearbox("run", scratch.path + "/p.json5", "--quiet")
            #expect(run.status == 0, "\(run.errors)")
            let aliases = try scratch.index(
                """
                SELECT a.key, s.path FROM alias AS a JOIN variant AS v ON v.id = a.variant_id
                JOIN source AS s ON s.id = v.source_id
                """
            )
            #expect(aliases == ["/a.jpg?v=1&b=2&param=100y100 \(path)"])
        }
    }

    @Test("keeps what a shorter manifest does not name")
    func shorterManifest() throws {
        _ = try run()
        try scratch.writeManifest(["b.jpg?param=100y100"])
        let second = try run()
        #expect(second.run["reused"] == 1)
        #expect(try scratch.index("SELECT count(*) FROM variant") == ["6"])
    }

    @Test("plans anew when a stage is run again under other settings")
    func stageAgain() throws {
        _ = try run("modes: ['x', 'y', 'z']", "--until", "plan")
        _ = try run("modes: ['y']", "--only", "plan")
        _ = try run("modes: ['y']", "--only", "fetch")
        #expect(try run("modes: ['y']", "--only", "render").run["variantsMade"] == 2)
    }

    @Test("does not render a broken picture again until it changes")
    func brokenPicture() throws {
        _ = try Program.run(
            "/bin/bash",
            ["-c", "head -c 400 origin/b.jpg > origin/c && mv origin/c origin/a.jpg"],
            in: scratch.path
        )
        #expect(try run().entries.map(\.reason) == ["truncated", nil])
        let again = try run()
        #expect(again.entries.map(\.reason) == ["truncated", nil])
        #expect(again.entries.map(\.outcome) == ["failed", "reused"])
        let status = try Program.gearbox(
            "status",
            "--cache",
            scratch.path + "/cache",
            "--runs",
            "1"
        )
        #expect(status.output.contains("1 known to fail"))
        try picture("a.jpg", "red")
        #expect(try run().entries.map(\.outcome) == ["produced", "reused"])
    }
}
