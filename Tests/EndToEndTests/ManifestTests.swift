import Foundation
import LoopbackServers
import TestSupport
import Testing

/// Manifests of every format through the built program.
@Suite("A manifest")
struct ManifestTests {
    private let scratch: Scratch
    private static let fixtures = Program.root + "/fixtures/manifests/"
    private static let hash = "md5:" + String(repeating: "0", count: 32)

    init() throws {
        scratch = try Scratch()
        try scratch.write("{ manifests: [], cache: 'cache' }", to: "p.json5")
    }

    private func run(_ arguments: [String], input: String? = nil) throws -> Program {
        try Program.run(
            Program.gearbox,
            ["run", scratch.file("p.json5"), "--quiet", "--json", "-"] + arguments,
            input: input.map { Data($0.utf8) },
            // As cron has it.
            environment: ["LC_ALL": "C", "LANG": "C"]
        )
    }

    @discardableResult
    private func state(_ sql: String) throws -> [String] {
        let done = try Program.run("/usr/bin/sqlite3", [scratch.file("cache/state.sqlite"), sql])
        #expect(done.status == 0, "\(done.errors)")
        return done.lines
    }

    @Test(
        "gives the same entries in every format",
        arguments: [
            "three.txt.gz", "three.csv", "three.csv.zst", "three.tsv", "three.jsonl", "three.log",
        ]
    )
    func formats(name: String) throws {
        let done = try run(["--manifest", Self.fixtures + name, "--until", "canonicalize"])
        #expect(done.status == 0, "\(done.errors)")
        let lines = try RunLines(done)
        #expect(
            lines.entries.map(\.url) == [
                "http://p1.music.126.net/covers/2024/album-01.jpg?param=200y200",
                "http://p1.music.126.net/covers/2024/album,02 é.jpg",
                "http://p1.music.126.net/covers/2024/album-03.jpg?imageView=1&thumbnail=90x90",
            ]
        )
        let isLog = name == "three.log"
        #expect(lines.count("not GET", of: "ingest") == (isLog ? 1 : 0))
        #expect(lines.count("not 200 or 304", of: "ingest") == (isLog ? 1 : 0))
        #expect(lines.count("no request", of: "ingest") == (isLog ? 2 : 0))
        if name.contains("csv") || name.contains("json") || name.contains("tsv") {
            #expect(try state("SELECT group_concat(hits) FROM entry") == ["12,1,0"])
            #expect(try state("SELECT hash FROM source WHERE path LIKE '%01.jpg'") == [Self.hash])
        }
    }

    @Test("comes from standard input and several files at once, each with its line numbers")
    func several() throws {
        try scratch.write("url;x\nhttp://h/a", to: "bad.csv")
        try scratch.write("link\n\nhttp://h/a\n", to: "a.csv")
        try scratch.write(
            """
            { manifests: ["\(Self.fixtures)three.jsonl", { path: "a.csv", column: "link" },
                          { path: "-", format: "tsv" }], cache: "cache" }
            """,
            to: "p.json5"
        )
        let input = "hits\turl\r\n3\thttp://h/é.jpg\r\n\"x\t\"\tb\r\n"
        let lines = try RunLines(run(["--until", "canonicalize"], input: input))
        #expect(lines.status == 1)
        #expect(lines.entries.map(\.line) == [1, 2, 3, 3, 2, 3])
        #expect(lines.entries.map(\.reason).last == "bad-line")
        #expect(lines.entries[4].url == "http://h/é.jpg")

        let flags = try run(
            ["--manifest", "-", "--format", "csv", "--column", "b"],
            input: "a,b\n1,\n"
        )
        #expect(try RunLines(flags).entries.map(\.message) == ["\"b\" is empty"])
        let wrong = try run(["--manifest", scratch.file("bad.csv")])
        #expect(wrong.status == 3)
        #expect(
            wrong.errors.contains("bad.csv: has no column \"url\": its header row has \"url;x\"")
        )
        for arguments in [["--format", "csv"], ["--manifest", "-", "--base", "http://h"]] {
            #expect(try run(arguments, input: "").status == 2)
        }
    }

    @Test("stops the run where it is broken, and the next one reads it whole")
    func broken() throws {
        let good = try [UInt8](
            Data(contentsOf: URL(fileURLWithPath: Self.fixtures + "three.csv.zst"))
        )
        _ = try scratch.write(Array(good.dropLast(9)), as: "a.csv.zst")
        let cut = try run(["--manifest", scratch.file("a.csv.zst"), "--until", "plan"])
        #expect(cut.status == 3)
        #expect(cut.errors.contains("a.csv.zst: the compressed data end too early"))
        #expect(cut.output.isEmpty)
        // Nothing goes on with half a manifest.
        #expect(try run(["--only", "canonicalize"]).status == 4)
        _ = try scratch.write(good, as: "a.csv.zst")
        let whole = try run(["--manifest", scratch.file("a.csv.zst"), "--until", "canonicalize"])
        #expect(try RunLines(whole).entries.count == 3)
    }

    @Test("of an access log needs to know its host")
    func noHost() throws {
        let line = "::1 - - [30/Nov/2026:13:55:36 +0000] \"GET /a.jpg HTTP/1.1\" 200 5\n"
        try scratch.write(line, to: "access.log.1")
        let path = scratch.file("access.log.1")
        let none = try run(["--manifest", path])
        #expect(none.status == 3)
        #expect(none.errors.contains("names no host"))
        let based = try run(["--manifest", path, "--base", "https://h", "--until", "canonicalize"])
        #expect(try RunLines(based).entries.map(\.url) == ["https://h/a.jpg"])
    }

    @Test("that gives one image two hashes keeps the first, and reports the other")
    func conflict() throws {
        let digests = ["a", "B"].map { "sha1:" + String(repeating: $0, count: 40) }
        let rows = [
            "http://h/a.jpg,", "http://h/a.jpg?param=30y30,\(digests[0])",
            "http://h/a.jpg?param=60y60,\(digests[1])", "http://h/b.jpg,\(digests[1])",
            "http://h/a.jpg?param=90y90,\(digests[0].uppercased())",
        ]
        let input = "url,hash\n" + rows.map { $0 + "\n" }.joined()
        for _ in 1...2 {
            let lines = try RunLines(
                run(
                    ["--manifest", "-", "--format", "csv", "--until", "canonicalize"],
                    input: input
                )
            )
            #expect(lines.status == 1)
            #expect(lines.entries.compactMap(\.reason).filter { $0 == "hash-conflict" }.count == 1)
            #expect(lines.entries[2].reason == "hash-conflict")
            #expect(lines.entries[2].message?.contains(digests[0]) == true)
        }
        #expect(try state("SELECT hash FROM source WHERE path = '/a.jpg'") == [digests[0]])
        // Canonicalised again, it finds the same.
        #expect(try RunLines(run(["--only", "canonicalize"])).entries[2].reason == "hash-conflict")
    }

    @Test("of any format tells gears and canonicalize the same")
    func otherCommands() throws {
        let text = try Program.gearbox("gears", Self.fixtures + "three.txt.gz")
        #expect(text.status == 0, "\(text.errors)")
        for name in ["three.log", "three.csv.zst"] {
            let found = try Program.gearbox("gears", Self.fixtures + name)
            #expect(name == "three.log" || found.output != text.output)
            #expect(found.status == 0)
            #expect(found.errors.contains("access logs") == (name == "three.log"))
        }
        let expected = try Program.gearbox(
            "canonicalize",
            input: """
                http://p1.music.126.net/covers/2024/album-01.jpg?param=200y200
                http://p1.music.126.net/covers/2024/album,02 é.jpg
                http://p1.music.126.net/covers/2024/album-03.jpg?imageView=1&thumbnail=90x90

                """
        )
        for name in ["three.txt.gz", "three.csv.zst", "three.tsv", "three.jsonl", "three.log"] {
            let found = try Program.gearbox("canonicalize", Self.fixtures + name)
            #expect(found.output == expected.output, "\(name)")
            #expect(found.status == 0, "\(found.errors)")
        }
    }

    /// More lines than a batch has, more raw keys of one image than are remembered, and each image
    /// named again far behind.
    @Test("of many lines is planned whole, the same each time, and each line has its variant")
    func long() throws {
        var lines = ""
        for line in 0..<12_000 {
            lines += "http://h/hot.jpg?t=\(line)&imageView&thumbnail=60x60\n"
            let box = [30, 60, 90, 120][line / 3_000]
            lines += "http://h/\(line % 3_000).jpg?imageView&thumbnail=\(box)x\(box)\n"
        }
        try scratch.write(lines, to: "long.txt")
        try scratch.write(
            """
            { manifests: ["long.txt"], cache: "cache", variants: { modes: ["x"] },
              origins: [{ name: "o", hosts: ["h"], parameters: { drop: ["t"] } }] }
            """,
            to: "night.json5"
        )
        var before: [String] = []
        for _ in 0..<2 {
            let ended = try Program.gearbox(
                "run",
                scratch.file("night.json5"),
                "--quiet",
                "--until",
                "plan",
                "--json",
                scratch.file("out.jsonl")
            )
            #expect(ended.status == 0, "\(ended.errors)")
            let tally =
                "SELECT max(count) FROM tally WHERE run_id = (SELECT max(id) FROM run) AND name"
            #expect(
                try state("\(tally) = 'sources'; \(tally) = 'due'; \(tally) = 'variants'")
                    == ["3001", "12001", "12001"]
            )
            let asked = "SELECT count(variant_id), count(DISTINCT variant_id) FROM asked_variant"
            let counted = "SELECT sum(lines), count(DISTINCT key), count(*) FROM keyed_variant"
            #expect(
                try state(
                    "\(asked); \(counted); SELECT count(*), count(DISTINCT variant_id) FROM alias;"
                        + "SELECT hits FROM source WHERE path IN ('/hot.jpg', '/7.jpg') ORDER BY 1"
                ) == ["24000|12001", "24000|12001|12001", "24000|12001", "4", "12000"]
            )
            #expect(
                try state(
                    """
                    SELECT count(*) FROM entry AS e JOIN asked_variant AS a ON a.entry_id = e.id
                    JOIN keyed_variant AS v ON v.id = a.variant_id
                    WHERE e.url LIKE 'http://h' || substr(v.key, 1, instr(v.key, '?') - 1) || '?%'
                        AND e.url LIKE '%thumbnail=' || v.box_width || 'x%'
                    """
                ) == ["24000"]
            )
            let rows = try state("SELECT id, key, first_entry FROM keyed_variant ORDER BY id")
            #expect(before.isEmpty || rows == before)
            before = rows
        }
    }
}
