import Foundation
import LoopbackServers
import TestSupport
import Testing

/// Sources with the same bytes, through the built program.
@Suite("Sources with the same bytes")
struct EqualBytesTests {
    private let scratch: Scratch
    private let photo: [UInt8]
    private static let asked = ["30x30", "60y90", "120x0"]

    init() throws {
        scratch = try Scratch()
        let path = Program.root + "/fixtures/origin/avatars/user-01.jpg"
        photo = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private func urls(_ server: ScriptedServer, _ path: String, _ sizes: [String]) -> [String] {
        sizes.map { server.url("\(path)?imageView&thumbnail=\($0)&type=webp") }
    }

    private func run(_ urls: [String], cache: String = "cache") throws {
        try scratch.write(urls.map { $0 + "\n" }.joined(), to: "urls.txt")
        try scratch.write(
            """
            { manifests: ["urls.txt"], cache: "\(cache)", workers: 2,
              network: { allowPrivateAddresses: true } }
            """,
            to: "night.json5"
        )
        let run = try Program.gearbox("run", scratch.path + "/night.json5", "--quiet")
        #expect(run.status == 0, "\(run.errors)")
    }

    private func ask(_ database: String, _ sql: String) throws -> [String] {
        let done = try Program.run("/usr/bin/sqlite3", [scratch.file(database), sql])
        #expect(done.status == 0, "\(done.errors)")
        return done.lines
    }

    /// How many sources the last run has rendered, and how many it gave what another had.
    private func rendered(_ cache: String = "cache") throws -> [Int] {
        try ["rendered", "same bytes"].map { name in
            let count = try ask(
                cache + "/state.sqlite",
                """
                SELECT coalesce(sum(count), 0) FROM tally WHERE stage = 'render'
                AND name = '\(name)' AND run_id = (SELECT max(id) FROM run)
                """
            )
            return Int(count.first ?? "") ?? -1
        }
    }

    private func variants(_ cache: String = "cache") throws -> [String] {
        try ask(
            cache + "/index.sqlite",
            """
            SELECT key, mode, box_width, box_height, quality, format, width, height, animated,
                full_size, bytes, file FROM variant ORDER BY key
            """
        )
    }

    @Test("are rendered once, and have what each would have had alone, in any order")
    func once() async throws {
        let paths = (0..<8).map { "/\($0).jpg" }
        let server = try await ScriptedServer.start(
            Dictionary(uniqueKeysWithValues: paths.map { ($0, [Step.body(photo)]) })
        )
        try run(paths.flatMap { urls(server, $0, Self.asked) })
        #expect(try rendered() == [1, 7])
        let together = try variants()
        #expect(together.count == 56)
        let sources = try ask(
            "cache/index.sqlite",
            "SELECT DISTINCT version, width, height, alpha, format, bytes, stale FROM source"
        )
        #expect(sources.count == 1)

        try run(
            paths.reversed().flatMap { urls(server, $0, Self.asked.reversed()) },
            cache: "other"
        )
        #expect(try rendered("other") == [1, 7])
        #expect(try variants("other") == together)
        for path in paths {
            try run(urls(server, path, Self.asked), cache: "alone" + path)
            #expect(try rendered("alone" + path) == [1, 0])
            let own = together.filter { $0.hasPrefix(path) }
            #expect(try variants("alone" + path) == own)
        }
    }

    @Test("are found again on a later night, as long as all files are there")
    func later() async throws {
        let paths = ["/a.jpg", "/b.jpg", "/c.jpg", "/d.jpg"]
        let server = try await ScriptedServer.start(
            Dictionary(uniqueKeysWithValues: paths.map { ($0, [Step.body(photo)]) })
        )
        try run(urls(server, "/a.jpg", Self.asked))
        // The old name is not wanted any more.
        try run(urls(server, "/b.jpg", Self.asked))
        #expect(try rendered() == [0, 1])
        // Another set of variants is another rendering.
        try run(urls(server, "/b.jpg", Self.asked) + urls(server, "/c.jpg", ["30x30"]))
        #expect(try rendered() == [1, 0])

        let file = try ask(
            "cache/index.sqlite",
            "SELECT file FROM variant WHERE key LIKE '/b.jpg%' ORDER BY bytes DESC LIMIT 1"
        )
        try FileManager.default.removeItem(atPath: scratch.file("cache/" + (file.first ?? "")))
        try run(urls(server, "/d.jpg", Self.asked))
        #expect(try rendered() == [1, 0])
        // What was lost of a and b, which nobody has asked for since, is not there.
        let counts = "SELECT substr(key, 2, 1), count(*) FROM variant GROUP BY 1 ORDER BY 1"
        let left = try ask("cache/index.sqlite", counts)
        #expect(left == ["a|6", "b|6", "c|3", "d|7"])
    }
}
