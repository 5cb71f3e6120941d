import GearboxURL
import PictureSupport
import Prewarm
import Rendering
import TestSupport
import Testing

@Suite("The plan of a URL", .serialized)
struct SourcePlanTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    // MARK: On the demo

    @Test(
        "is for people as the golden text has it",
        arguments: [
            ("photograph", "/covers/2024/album-01.jpg?param=250y125&quality=80&type=webp", nil),
            ("animation", "/animated/three-delays.gif?thumbnail=40x40&tostatic=0", nil),
            ("original", "/alpha/soft-gradient.png", nil),
            ("broken", "/broken/huge-sides.png?param=60x60", nil),
            ("opaque", "/covers/2024/album-01.jpg?watermark&param=60x60", nil),
            ("supposed", "/covers/not-held.jpg?param=720x0", Size(width: 4000, height: 3000)),
            ("not-held", "/covers/not-held%1B.jpg?param=60y60", nil),
        ]
    )
    func golden(name: String, url: String, size: Size?) throws {
        var pipeline = try Pipeline.read(Program.root + "/pipelines/demo.json5")
        pipeline.cache = scratch.path + "/cache"
        pipeline.rendering.steps = [Step(try #require(StepKind.named("grayscale")))]
        let plan = try planner(pipeline).plan(
            "https://p1.music.126.net" + url,
            supposing: size
        )
        try Golden.expect(plan.text.replacing(Program.root, with: "."), at: "plan/\(name).txt")
        #expect(try scratch.names() == [], "nothing is written")
    }

    // MARK: On a cache

    private func pipeline(_ variants: String = "", sources: String = "") throws -> Pipeline {
        let chain = sources.isEmpty ? "{ mirror: 'origin' }" : sources
        try scratch.write(
            """
            { name: "p", manifests: ["urls.txt"], cache: "cache", variants: { \(variants) },
              origins: [{ name: "o", hosts: ["h", "g"], sources: [\(chain)] }] }
            """,
            to: "p.json5"
        )
        return try Pipeline.read(scratch.path + "/p.json5")
    }

    private func planner(_ pipeline: Pipeline) -> SourcePlanner {
        SourcePlanner(pipeline, program: Program.gearbox)
    }

    private func draw(_ name: String, _ colour: String = "red") throws {
        try scratch.write("", to: "origin/none")
        try Pillow.run(
            "Image.new('RGB', (400, 300), '\(colour)').save('origin/\(name)')",
            in: scratch
        )
    }

    private func run(_ pipeline: Pipeline, _ stages: Set<Stage> = Set(Stage.allCases)) async throws
    {
        let runner = Runner(
            pipeline: pipeline,
            stages: stages,
            progress: RunProgress(),
            program: Program.gearbox
        )
        let report = try await runner.run()
        #expect(report.count(.failed) == 0)
    }

    private func dues(_ plan: SourcePlan) -> [String] {
        plan.variants.map { variant in
            let mark = variant.isAsked ? "*" : variant.isWanted ? "" : "-"
            return
                "\(mark)\(variant.key.dropFirst("/a.jpg".count)) \(variant.due?.rawValue ?? "made")"
        }
    }

    @Test(
        "says of an origin that renders what is fetched, and asks for an original only where it is needed"
    )
    func remote() throws {
        func plan(_ origin: String, _ url: String) throws -> SourcePlan {
            try scratch.write(
                """
                { manifests: [], cache: "cache", variants: { modes: ["x", "y"] },
                  origins: [{ name: "o", hosts: ["h", "g"], render: "remote", \(origin) }] }
                """,
                to: "p.json5"
            )
            return try planner(Pipeline.read(scratch.path + "/p.json5")).plan(url)
        }
        let lines = try plan("", "http://h/a.jpg?param=50x50").text.split(separator: "\n")
        #expect(
            lines.suffix(6) == [
                "original", "  held        no: it is not needed", "variants",
                "  each is fetched from http://h, nothing is rendered here",
                "      due, new: /a.jpg?imageView=1&quality=89&thumbnail=60x60  <- the URL's",
                "      due, new: /a.jpg?imageView=1&quality=89&thumbnail=60y60",
            ]
        )
        let probed = try plan("probe: true", "http://h/a.jpg?param=50x50")
        #expect(probed.lookups.map(\.place) == ["http://h/a.jpg"])
        #expect(probed.lookups.map(\.others) == [["http://g/a.jpg"]])
        #expect(probed.variants.count == 2 && probed.rendering == nil)
        // The original is one of the variants of a plain URL; a signed one is good for itself.
        let plain = try plan("", "http://h/a.jpg")
        #expect(plain.lookups.count == 1 && plain.variants.count == 21)
        #expect(dues(try plan("", "http://h/a.jpg?sign=1")) == ["* new"])
        let verbatim = try plan("", "http://h/a.jpg?watermark")
        #expect(!verbatim.isRemote && verbatim.variants.count == 1)
    }

    @Test("says why each variant is due")
    func reasons() async throws {
        try draw("a.jpg")
        try scratch.write("http://h/a.jpg?param=60x60\nhttp://h/a.jpg?type=webp\n", to: "urls.txt")
        let first = try pipeline("modes: ['x', 'y']")
        let url = "http://g/a.jpg?param=30y30"
        let tail = "?imageView=1&quality=89&thumbnail="
        let before = try planner(first).plan("http://h/a.jpg?param=60x60")
        #expect(before.original?.holding == .mirrored)
        #expect(dues(before) == ["*\(tail)60x60 new", "\(tail)60y60 new"])
        try await run(first)
        let plan = try planner(first).plan(url)
        #expect(plan.original?.holding == .kept)
        #expect(
            dues(plan) == [
                "\(tail)60x60 made", "\(tail)60y60 made", "?imageView=1&quality=89&type=webp made",
                "\(tail)30x30 new", "*\(tail)30y30 new",
            ]
        )
        // A mode less: what there is of it stays. A webp of another effort is another file.
        let other = try pipeline("modes: ['y'], effort: { webp: 1 }")
        #expect(
            dues(try planner(other).plan("http://h/a.jpg?param=60x60")) == [
                "\(tail)60y60 made", "?imageView=1&quality=89&type=webp settings changed",
                "*\(tail)60x60 made",
            ]
        )
        #expect(try planner(other).plan("http://h/a.jpg?param=60x60").isAskedInVain)
        // Steps make everything due, also what nobody asks for any more.
        let stepped = try pipeline("modes: ['y'], steps: ['grayscale']")
        #expect(
            dues(try planner(stepped).plan("http://h/a.jpg?param=60y60")).map {
                $0.hasSuffix(" settings changed")
            } == [true, true, true]
        )
        for file in scratch.files() where file.hasSuffix(".webp") { try scratch.block(file) }
        let lost = try planner(first).plan(url)
        #expect(dues(lost)[2] == "?imageView=1&quality=89&type=webp file lost")
        try draw("a.jpg", "blue")
        let changed = try planner(first).plan(url)
        #expect(changed.original?.holding == .mirrored)
        #expect(dues(changed).prefix(2).allSatisfy { $0.hasSuffix(" original changed") })
    }

    @Test("reads a header in a worker, and never in the process that plans")
    func probing() throws {
        try draw("a.jpg")
        let planner = SourcePlanner(try pipeline(), program: "/bin/false")
        let error = #expect(throws: RenderError.self) {
            try planner.plan("http://h/a.jpg?param=60x60")
        }
        #expect(error?.code == .environment)
    }

    @Test("is what a run then does: the same rasters, and nothing left over")
    func agreement() async throws {
        try draw("a.jpg")
        try scratch.write("http://h/a.jpg?param=60x60\n", to: "urls.txt")
        let pipeline = try pipeline("sizes: 'ladder'")
        let plan = try planner(pipeline).plan("http://h/a.jpg?param=60x60")
        try await run(pipeline)
        let script = """
            import sqlite3, sys
            index = sqlite3.connect(sys.argv[1])
            for row in index.execute("SELECT key, width, height FROM variant"): print(*row)
            """
        let made = try Program.python("-c", script, scratch.path + "/cache/index.sqlite").lines
        let wanted = try #require(plan.rendering).rasters.flatMap { raster in
            raster.encodes.flatMap { encode in
                encode.variants.map {
                    "\($0.key) \(raster.placement.size.width) \(raster.placement.size.height)"
                }
            }
        }
        #expect(wanted.count == 30)
        #expect(made.sorted() == wanted.sorted())
        let after = try planner(pipeline).plan("http://h/a.jpg?param=60x60")
        #expect(after.variants.allSatisfy { $0.due == nil && $0.isWanted })
        #expect(after.rendering == plan.rendering)
    }

    @Test("names the servers that would be asked, and plans for what is held of them")
    func servers() async throws {
        try draw("a.jpg")
        try scratch.write("http://h/a.jpg?param=60x60\n", to: "urls.txt")
        let chain = "{ mirror: 'none' }, 'http', { mirror: 'origin' }"
        let plan = try planner(pipeline(sources: chain)).plan("http://g/a.jpg?param=60x60")
        #expect(plan.lookups.map(\.finding) == [.notThere, .notAsked, .there])
        #expect(plan.lookups[1].place == "http://g/a.jpg")
        #expect(plan.lookups[1].others == ["http://h/a.jpg"])
        #expect(plan.lookups[0].place == scratch.path + "/none/a.jpg")
        // Outside of a mirror there is nothing.
        let outside = try planner(pipeline()).plan("http://g/%2e%2e/p.json5?param=60x60")
        #expect(outside.original == nil)
        try await run(pipeline())
        let held = try planner(pipeline(sources: "'http'")).plan("http://h/a.jpg?param=60x60")
        #expect(held.lookups.map(\.finding) == [.notAsked])
        #expect(held.original?.holding == .kept)
        #expect(held.variants.allSatisfy { $0.due == nil })
    }

    @Test("says of a broken original what a run would say, and of a known failure too")
    func broken() async throws {
        try draw("a.jpg")
        let whole = try scratch.bytes(of: "origin/a.jpg")
        _ = try scratch.write(Array(whole.prefix(whole.count / 2)), as: "origin/a.jpg")
        try scratch.write("http://h/a.jpg?param=60x60\n", to: "urls.txt")
        var pipeline = try pipeline()
        let runner = Runner(
            pipeline: pipeline,
            stages: Set(Stage.allCases),
            progress: RunProgress(),
            program: Program.gearbox
        )
        let code = try #require(try await runner.run().reasons.first?.code)
        #expect(
            try planner(pipeline).plan("http://h/a.jpg?param=30x30").problem?.code == code
        )
        try scratch.write("<html>", to: "origin/a.jpg")
        let problem = try planner(pipeline).plan("http://h/a.jpg?param=30x30").problem
        #expect(problem?.code == "unsupported-type")
        try draw("a.jpg")
        pipeline.rendering.limits.bytes = 100
        let large = try planner(pipeline).plan("http://h/a.jpg?param=30x30")
        #expect(large.problem?.code == "too-large")
        #expect(large.original?.version == nil)
    }

    @Test("keeps to its own cache directory, and throws where the URL is none")
    func refusals() async throws {
        try draw("a.jpg")
        try scratch.write("http://h/a.jpg\n", to: "urls.txt")
        var pipeline = try pipeline()
        try await run(pipeline, [.ingest])
        #expect(throws: RequestError.self) { try planner(pipeline).plan("no url") }
        pipeline.name = "other"
        #expect(throws: StateError.self) { try planner(pipeline).plan("http://h/a.jpg") }
        try scratch.write("no database", to: "cache/state.sqlite")
        #expect(throws: (any Error).self) { try planner(pipeline).plan("http://h/a.jpg") }
    }

    // MARK: The whole pipeline

    @Test("of a whole pipeline counts what the run then does")
    func forecast() async throws {
        try draw("a.jpg")
        try draw("b.png")
        try scratch.write(
            """
            http://h/a.jpg?param=60x60
            http://h/a.jpg
            http://h/b.png?type=webp&quality=10
            http://h/b.png?type=webp
            no url

            """,
            to: "urls.txt"
        )
        for variants in [
            "modes: ['x']", "modes: ['x']", "modes: ['x', 'y']",
            "modes: ['x'], steps: ['grayscale']",
            "modes: ['x'], sizes: [90], qualities: [89]", "modes: ['x'], effort: { webp: 2 }",
        ] {
            let pipeline = try pipeline(variants)
            let forecast = try #require(await RunForecast.of(pipeline))
            let runner = Runner(
                pipeline: pipeline,
                stages: Set(Stage.allCases),
                progress: RunProgress(),
                program: Program.gearbox
            )
            let report = try await runner.run()
            #expect(forecast.tally(.render)["variants"] == report.madeVariants, "\(variants)")
            #expect(forecast.tally(.plan) == report.tally(.plan), "\(variants)")
            #expect(forecast.tally(.ingest)["entries"] == 5)
            #expect(forecast.reasons == report.reasons, "\(variants)")
        }
        let quiet = try #require(
            await RunForecast.of(pipeline("modes: ['x'], effort: { webp: 2 }"))
        )
        #expect(quiet.hasState)
        #expect(quiet.tally(.plan)["due"] == 0)
        #expect(
            quiet.tally(.fetch).sorted.map { "\($0)" } == [
                "(name: \"to compare with a mirror\", count: 2)"
            ]
        )
        for file in scratch.files() where file.hasPrefix("cache/store/") { try scratch.block(file) }
        let lost = try #require(await RunForecast.of(pipeline("modes: ['x'], effort: { webp: 2 }")))
        #expect(lost.tally(.plan)["due file lost"] == lost.tally(.plan)["variants"])
        let served = try #require(await RunForecast.of(pipeline("modes: ['x']", sources: "'http'")))
        #expect(served.tally(.fetch)["to compare with a mirror"] == 0)
    }
}
