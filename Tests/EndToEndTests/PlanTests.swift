import Foundation
import TestSupport
import Testing

@Suite("Planning from the command line", .serialized)
struct PlanTests {
    private let scratch: Scratch
    private let demo = "pipelines/demo.json5"
    private let url = "https://p1.music.126.net/covers/2024/album-02.jpg?param=250y125&type=webp"

    init() throws { scratch = try Scratch() }

    private func plan(_ arguments: String...) throws -> Program {
        try Program.run(
            Program.gearbox,
            ["plan", demo, "--cache", scratch.path + "/cache"] + arguments
        )
    }

    @Test("counts what a run of the demo would do")
    func forecast() throws {
        let program = try plan()
        #expect(program.status == 0)
        let text = program.output.replacing(scratch.path, with: "SCRATCH")
            .replacing(Program.root, with: ".")
        try Golden.expect(text, at: "plan/demo.txt")
        let json = try JSONText(try plan("--json").output)
        #expect(
            json.list("stages")?.map { $0.text("stage") } == [
                "ingest", "canonicalize", "plan", "fetch", "render",
            ]
        )
        #expect(json.list("stages")?.last?.inner("counts")?.integer("variants") == 620)
        #expect(try scratch.names() == [], "nothing is written")
    }

    @Test("gives one JSON object with the rasters and what they serve")
    func json() throws {
        let program = try plan(url, "--json")
        #expect(program.lines.count == 1)
        let json = try JSONText(program.output)
        #expect(json.text("class") == "simple")
        #expect(json.integer("width") == 256)
        #expect(json.isNull("problem"))
        #expect(json.inner("original")?.integer("width") == 1000)
        let rasters = try #require(json.list("rasters"))
        let keys = rasters.flatMap { $0.list("encodes") ?? [] }.flatMap { $0.texts("keys") ?? [] }
        let variants = try #require(json.list("variants"))
        #expect(keys.count == 3)
        #expect(Set(variants.compactMap { $0.text("key") }) == Set(keys))
        #expect(variants.compactMap { $0.text("due") } == ["new", "new", "new"])
        let nothing = try JSONText(
            try plan("https://p1.music.126.net/none.jpg?param=60x60", "--json").output
        )
        #expect(nothing.isNull("original") && nothing.isNull("decode"))
    }

    @Test("writes nothing, also while a run holds the cache directory")
    func whileRunning() throws {
        try scratch.write(
            """
            { name: "p", manifests: ["-"], cache: "cache",
              origins: [{ name: "o", hosts: ["h"], sources: [{ mirror: "origin" }] }] }
            """,
            to: "p.json5"
        )
        let script =
            "from PIL import Image; import sys; Image.new('RGB', (400, 300)).save(sys.argv[1])"
        try scratch.write("", to: "origin/none")
        _ = try Program.python("-c", script, scratch.path + "/origin/a.jpg")
        let pipeline = scratch.path + "/p.json5"
        let asked = "http://h/a.jpg?param=100x100"
        _ = try Program.gearbox("run", pipeline, "--quiet", input: asked + "\n")

        func plans(_ moment: String) throws {
            let before = try times()
            let one = try Program.gearbox("plan", pipeline, asked)
            #expect(one.status == 0, "\(moment): \(one.errors)")
            #expect(one.output.contains("made: /a.jpg?"), "\(moment): \(one.output)")
            let all = try Program.gearbox("plan", pipeline, input: asked + "\nhttp://h/a.jpg\n")
            #expect(all.status == 0, "\(moment): \(all.errors)")
            #expect(all.output.contains("28 due new"), "\(moment): \(all.output)")
            #expect(try times() == before, "\(moment)")
        }
        try plans("when nothing runs")
        let run = try StartedProgram(Program.gearbox, ["run", pipeline, "--quiet"], input: .pipe)
        run.wait { scratch.files().contains("cache/state.sqlite-wal") }
        usleep(200_000)
        try plans("while a run waits for its manifest")
        try run.input?.close()
        #expect(run.waitForEnd() == 0)
    }

    @Test("leaves nothing behind when it is interrupted")
    func interrupted() throws {
        try scratch.write("{ manifests: ['-'], cache: 'cache' }", to: "p.json5")
        try scratch.write("", to: "temporary/none")
        let plan = try StartedProgram(
            Program.gearbox,
            ["plan", scratch.path + "/p.json5"],
            input: .pipe,
            environment: ["TMPDIR": scratch.path + "/temporary"]
        )
        plan.wait { scratch.files().contains { $0.hasSuffix("/state.sqlite") } }
        usleep(100_000)
        plan.signal(SIGINT)
        #expect(plan.waitForEnd() == 130)
        #expect(scratch.files() == ["p.json5", "temporary/none"])
    }

    /// Every file of the cache directory with its size and the time it was last written.
    private func times() throws -> [String: [String]] {
        var times: [String: [String]] = [:]
        for file in scratch.files() where file.hasPrefix("cache/") {
            let facts = try FileManager.default.attributesOfItem(atPath: scratch.path + "/" + file)
            // Readers of a log take part in its shared memory.
            if file.hasSuffix("-shm") { continue }
            times[file] = ["\(facts[.size] ?? "")", "\(facts[.modificationDate] ?? "")"]
        }
        return times
    }

    @Test("ends with what is wrong")
    func statuses() throws {
        #expect(try plan("no url").status == 1)
        #expect(try plan("no url").errors.contains("scheme"))
        #expect(try Program.gearbox("plan", "missing.json5", "http://h/a").status == 3)
        try scratch.write("{ manifests: ['none.txt'] }", to: "p.json5")
        #expect(try Program.gearbox("plan", scratch.path + "/p.json5").status == 3)
        #expect(try Program.gearbox("plan", scratch.path + "/p.json5", "http://h/a").status == 0)
        for size in ["1200", "0x10", "axb", "10x10x10", "-1x4"] {
            #expect(try plan(url, "--size=\(size)").status == 2, "\(size)")
        }
        #expect(try plan("--size", "10x10").status == 2)
    }
}
