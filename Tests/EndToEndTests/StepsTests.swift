import TestSupport
import Testing

/// Pictures that are processed: made anew when the steps change, never mixed with unprocessed ones.
@Suite("A pipeline with steps", .serialized)
struct StepsTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.write("", to: "origin/none")
        let script =
            "from PIL import Image; import sys; a = Image.linear_gradient('L').resize((400, 300));"
            + "Image.merge('RGB', (a, a.point(lambda x: x // 2), a.transpose(1)))"
            + ".save(sys.argv[1], quality=95)"
        for name in ["a.jpg", "b.png"] {
            let drawn = try Program.python("-c", script, scratch.path + "/origin/" + name)
            try #require(drawn.status == 0, "\(drawn.errors)")
        }
        try scratch.writeManifest([
            "a.jpg?param=100y100", "a.jpg", "a.jpg?type=webp", "b.png?param=120x120",
            "b.png?type=webp",
        ])
    }

    private func run(_ steps: String, _ arguments: String...) throws -> RunLines {
        try scratch.runMirror(
            variants: "modes: ['y', 'x'], sizes: [120], steps: \(steps)",
            arguments
        )
    }

    private func resolve(_ url: String) throws -> String {
        let answer = try Program.gearbox(
            "resolve",
            "--cache",
            scratch.path + "/cache",
            "--json",
            url
        )
        return try JSONText(answer.lines.first ?? "").text("result") ?? ""
    }

    private static let files = "SELECT key, file FROM variant ORDER BY key"

    @Test("makes every rendered variant anew when they change, and says them in the index")
    func changed() throws {
        let all = try run("[]").run["variantsMade"]
        #expect(all == 7)
        let plain = try scratch.index(Self.files)
        #expect(try scratch.index("SELECT value FROM meta WHERE name = 'steps'") == [""])
        // A larger request is answered from the original.
        let large = "http://h/a.jpg?param=300x300&quality=100"
        #expect(try resolve(large) == "reuse")

        let planned = try run("['grayscale']", "--until", "plan")
        #expect(planned.run["variantsMade"] == 0)
        #expect(try run("['grayscale']").run["variantsMade"] == 6)
        let grey = try scratch.index(Self.files)
        #expect(try scratch.index("SELECT value FROM meta WHERE name = 'steps'") == ["grayscale"])
        let same = zip(plain, grey).filter { $0 == $1 }.map { $0.0.prefix { $0 != " " } }
        #expect(same == ["/a.jpg"], "only the original's own bytes stay")
        #expect(try resolve(large) == "miss", "the original is not processed")
        #expect(try resolve("http://h/b.png?type=webp&param=300x300") == "reuse")
        #expect(try run("['grayscale']").run["variantsMade"] == 0)

        #expect(try run("['grayscale', { blur: { sigma: 2 } }]").run["variantsMade"] == 6)
        #expect(
            try scratch.index("SELECT value FROM meta WHERE name = 'steps'") == [
                "grayscale blur(sigma=2)"
            ]
        )
        #expect(try run("[]").run["variantsMade"] == 6)
        #expect(try scratch.index(Self.files) == plain)
        #expect(try resolve(large) == "reuse")
    }

    @Test("leaves no unprocessed variant beside processed ones, asked for tonight or not")
    func unwanted() throws {
        #expect(try run("[]").run["variantsMade"] == 7)
        let plain = try scratch.index(Self.files)
        try scratch.writeManifest(["a.jpg"])
        #expect(try run("['grayscale']").run["variantsMade"] == 3)
        let after = try scratch.index(Self.files)
        // The other source is nobody's business tonight: it keeps what it has.
        let changed = zip(plain, after).filter { $0 != $1 }.map { $0.0.prefix { $0 != " " } }
        #expect(changed.count == 3, "\(changed)")
        #expect(changed.allSatisfy { $0.hasPrefix("/a.jpg?") })
    }

    @Test("tries a broken picture again when they change")
    func broken() throws {
        _ = try Program.run(
            "/bin/bash",
            ["-c", "head -c 900 origin/a.jpg > origin/c && mv origin/c origin/a.jpg"],
            in: scratch.path
        )
        for steps in ["[]", "['grayscale']", "['grayscale']"] { _ = try run(steps) }
        let status = try Program.gearbox("status", "--cache", scratch.path + "/cache")
        let known = status.lines.filter { $0.contains("known to fail") }
        #expect(known.count == 1, "\(status.output)")
    }
}
