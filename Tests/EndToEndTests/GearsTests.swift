import Foundation
import TestSupport
import Testing

@Suite("gearbox gears")
struct GearsTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func object(_ arguments: String..., input: String = "") throws -> JSONText {
        let program = try Program.run(
            Program.gearbox,
            ["gears", "--json"] + arguments,
            input: Data(input.utf8),
            in: scratch.path
        )
        #expect(program.lines.count == 1, "\(program.errors)")
        return try JSONText(program.lines.first ?? "")
    }

    /// A hundred requests of 100 x 100 at 80, ten of 200 x 100, one of 1300 x 650.
    private var traffic: String {
        let common = (0..<100).map { "http://h/\($0 % 50).jpg?param=100y100&quality=80\n" }
        let wide = (0..<10).map { "http://h/\($0).jpg?param=200x100\n" }
        return (common + wide).joined() + "http://h/0.jpg?param=1300x650\n"
    }

    @Test("puts the best ladder next to today's")
    func comparison() throws {
        try scratch.write(traffic, to: "a.txt")
        let found = try object("a.txt")
        #expect(found.integer("entries") == 111 && found.integer("requests") == 111)
        let sizes = try #require(found.inner("sizes"))
        #expect(sizes.integer("requestedPixels") == 100 * 10_000 + 10 * 20_000 + 845_000)
        let today = try #require(sizes.inner("today"))
        #expect(today.integers("gears") == [30, 60, 90, 120, 180, 256, 315, 512, 720, 1024])
        #expect(
            today.integer("wastedPixels")
                == 100 * 4_400 + 10 * (256 * 128 - 20_000) + (1_536 * 768 - 845_000)
        )
        #expect(today.integer("variants") == 61)
        #expect(today.text("precision") == "exact")
        #expect(abs((today.number("hitRate") ?? 0) - (1 - 61.0 / 111)) < 0.000_001)
        #expect(sizes.inner("best")?.integers("gears") == [100, 200, 1300])
        #expect(sizes.inner("best")?.integer("wastedPixels") == 0)
        #expect(sizes.list("traffic")?.map { $0.integer("size") } == [100, 200, 1300])
        #expect(sizes.list("traffic")?.map { $0.integer("requests") } == [100, 10, 1])
        let qualities = try #require(found.inner("qualities"))
        #expect(qualities.inner("today")?.integer("wastedPoints") == 100 * 9 + 11 * 14)
        #expect(qualities.inner("best")?.integers("gears") == [75, 80, 100])
    }

    @Test("takes the number of gears, and manifests from standard input")
    func count() throws {
        try scratch.write("http://h/1.jpg?param=200x100\n", to: "b.txt")
        let found = try object("--count", "1", "--quality-count=2", "-", "b.txt", input: traffic)
        #expect(found.integer("entries") == 112)
        // One gear for the common size; the others are served by the steps above it.
        #expect(found.inner("sizes")?.inner("best")?.integers("gears") == [100])
        #expect(found.inner("qualities")?.inner("best")?.integers("gears") == [80, 100])
    }

    @Test("takes today's ladders, origins and overflow from a pipeline")
    func pipeline() throws {
        try scratch.write(traffic, to: "a.txt")
        try scratch.write(
            """
            { manifests: [], gears: { sizes: [50, 110], overflow: 'clamp', qualities: [90, 100] },
              origins: [{ name: 'o', hosts: ['h'], parameters: { drop: ['*'] } }] }
            """,
            to: "p.json5"
        )
        let found = try object("--pipeline", "p.json5", "a.txt")
        let sizes = try #require(found.inner("sizes"))
        #expect(sizes.inner("today")?.integers("gears") == [50, 110])
        #expect(sizes.inner("today")?.integer("wastedPixels") == 100 * 2_100)
        // What is compared reaches the largest size.
        #expect(sizes.inner("best")?.integers("gears") == [200, 1300])
        let text = try Program.gearbox("gears", "--pipeline", "p.json5", "a.txt", in: scratch.path)
        #expect(text.output.contains("11 requests get less than they ask for today"))
        let broken = try Program.gearbox("gears", "--pipeline", "none", "a.txt", in: scratch.path)
        #expect(broken.status == 3)
    }

    @Test("prints ladders, a bar chart and what to write into a pipeline")
    func text() throws {
        let program = try Program.gearbox("gears", "-", input: traffic)
        #expect(program.status == 0)
        try Golden.expect(program.output, at: "gears/three-sizes.txt")
        let demo = try Program.gearbox("gears", "fixtures/manifests/demo.txt")
        try Golden.expect(demo.output, at: "gears/demo.txt")
    }

    @Test("counts what it cannot use, and says where there is nothing to compare")
    func unusable() throws {
        let input = "http://h/a.jpg\nno url\nhttp://h/a.jpg?crop=1\n" + traffic
        let program = try Program.gearbox("gears", "-", input: input)
        #expect(program.status == 1)
        #expect(program.errors.contains("-:2: the URL has no scheme"))
        #expect(program.output.contains("113 requests in 114 entries: 111 of variants, 1 of"))
        let empty = try Program.gearbox("gears", "-", input: "http://h/a.jpg\n")
        #expect(empty.status == 0)
        #expect(empty.output.contains("there is nothing to compare"))
        let found = try object("-", input: "")
        #expect(found.inner("sizes")?.isNull("best") == true)
        #expect(found.inner("sizes")?.inner("today")?.isNull("hitRate") == true)
        let missing = try Program.gearbox("gears", "none.txt", in: scratch.path)
        #expect(missing.status == 3)
        #expect(missing.errors.contains("none.txt"))
    }

    @Test("is told of each host apart unless an origin joins them")
    func hosts() throws {
        let input = "http://h1/a.jpg?param=9x9\nhttp://h2/a.jpg?param=9x9\n"
        #expect(
            try object("-", input: input).inner("sizes")?.inner("best")?.integer("variants") == 2
        )
        let origin = "{ name: 'o', hosts: ['h1', 'h2'] }"
        try scratch.write("{ manifests: [], origins: [\(origin)] }", to: "p.json5")
        let joined = try object("--pipeline", "p.json5", "-", input: input)
        #expect(joined.inner("sizes")?.inner("best")?.integer("variants") == 1)
    }
}
