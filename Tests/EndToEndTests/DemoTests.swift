import TestSupport
import Testing

/// The demo pipeline on the mirror, through the built program.
@Suite("The demo", .serialized)
struct DemoTests {
    private let scratch: Scratch
    private let cache: String
    private let host = "https://p1.music.126.net"

    init() throws {
        scratch = try Scratch()
        cache = scratch.path + "/cache"
    }

    private func run(_ arguments: String...) throws -> Program {
        try Program.run(
            Program.gearbox,
            ["run", "pipelines/demo.json5", "--cache", cache] + arguments
        )
    }

    @Test("makes exactly what the rules say, and reuses all of it the second time")
    func twice() throws {
        let first = try RunLines(run("--quiet", "--json", "-"))
        #expect(first.status == 1, "the demo has broken files and bad lines")
        #expect(first.run["produced"] == 174)
        #expect(first.run["reused"] == 0)
        #expect(first.run["failed"] == 37)
        #expect(first.run["skipped"] == 1)
        let judged = try Program.judgedDemo(cache)
        #expect(judged.status == 0, "\(judged.output)")

        let before = try Snapshot(of: cache)
        let second = try RunLines(run("--quiet", "--json", "-"))
        #expect(second.run["produced"] == 0)
        #expect(second.run["reused"] == first.run["produced"])
        #expect(second.run["failed"] == first.run["failed"])
        let after = try Snapshot(of: cache)
        #expect(after.store == before.store)
        #expect(after.originals == before.originals)
        #expect(after.index == before.index, "nothing changed, so nothing is published")
    }

    @Test("gives every line an outcome, and every failure a reason")
    func outcomes() throws {
        let lines = try RunLines(run("--quiet", "--json", "-"))
        #expect(lines.entries.count == 212)
        for entry in lines.entries {
            let isMissing = entry.outcome == "failed" || entry.outcome == "skipped"
            #expect(isMissing == (entry.reason != nil), "\(entry)")
            #expect((entry.message ?? "").contains("\n") == false, "\(entry)")
        }
        let reasons = Set(lines.entries.compactMap(\.reason))
        #expect(
            reasons == [
                "truncated", "gone", "no-scheme", "unsupported-type", "no-host",
                "unsupported-scheme",
                "address-refused", "bad-host", "corrupt", "empty-body", "too-many-pixels",
                "user-info", "not-mirrored", "data-url",
            ]
        )
    }

    @Test("is answered exactly, by reuse, by alias and not at all")
    func resolve() throws {
        _ = try run("--quiet")
        let cover = host + "/covers/2024/album-01.jpg"
        let asked: [(url: String, result: String)] = [
            (cover + "?type=webp&thumbnail=95x95&imageView", "exact"),
            (cover + "?imageView=1&thumbnail=250y125&type=webp", "reuse"),
            (host + "/covers/2024/unknown.jpg?param=200y200", "miss"),
        ]
        let answers = try Program.run(
            Program.gearbox,
            ["resolve", "--cache", cache, "--json"] + asked.map(\.url)
        )
        #expect(answers.status == 0)
        let found = try answers.lines.map { try JSONText($0) }
        #expect(found.map { $0.text("result") } == asked.map(\.result))
        for answer in found {
            guard let file = answer.text("file") else { continue }
            #expect(scratch.files().contains("cache/" + file))
        }
        let reuse = found[1]
        #expect(reuse.integer("width") == 256 && reuse.integer("height") == 128)
        #expect(found[2].isNull("file") && found[2].isNull("transform"))
        // A stranger to the rules finds the same by standard input, as text.
        let text = try Program.gearbox("resolve", "--cache", cache, input: asked[2].url + "\n")
        #expect(text.output.hasPrefix("miss "))
    }

    @Test("leaves an index that Python reads in a folder nobody may write")
    func unwritable() throws {
        _ = try run("--quiet")
        let script = """
            import os, sqlite3, sys
            folder = sys.argv[1]
            for path, _, _ in os.walk(folder):
                os.chmod(path, 0o555)
            os.chmod(os.path.dirname(folder), 0o755)
            if os.getuid() == 0:
                os.setgroups([]); os.setgid(65534); os.setuid(65534)
            try:
                open(folder + "/probe", "w")
                sys.exit("the folder can be written")
            except OSError:
                pass
            for options in ("mode=ro", "mode=ro&immutable=1"):
                index = sqlite3.connect(f"file:{folder}/index.sqlite?{options}", uri=True)
                print(index.execute("SELECT count(*) FROM variant").fetchone()[0],
                      index.execute("PRAGMA integrity_check").fetchone()[0])
            """
        let read = try Program.python("-c", script, cache)
        #expect(read.lines == ["566 ok", "566 ok"], "\(read.errors)")
        _ = try Program.run("/bin/chmod", ["-R", "u+w", cache])
    }

    @Test("can be run stage by stage, with the same result")
    func stageByStage() throws {
        let stages = [
            "ingest", "canonicalize", "plan", "fetch", "render", "evict", "index", "publish",
        ]
        for stage in stages {
            let ran = try run("--quiet", "--only", stage)
            #expect(ran.status <= 1, "\(stage): \(ran.errors)")
            let isPublished = scratch.files().contains("cache/index.sqlite")
            #expect(isPublished == (stage == "publish"))
        }
        let judged = try Program.judgedDemo(cache)
        #expect(judged.status == 0, "\(judged.output)")
    }

    @Test("never publishes an index that was made before the last rendering")
    func outdatedDraft() throws {
        let stages = ["ingest", "canonicalize", "plan", "fetch", "index", "render", "publish"]
        for stage in stages { #expect(try run("--quiet", "--only", stage).status <= 1) }
        #expect(try Program.judgedDemo(cache).status == 0)
        let again = try RunLines(run("--quiet", "--json", "-"))
        #expect(again.count("unchanged", of: "publish") == 1)
    }

    @Test("stops before the stage that --until names has a successor")
    func until() throws {
        let planned = try RunLines(run("--quiet", "--until", "plan", "--json", "-"))
        #expect(planned.run["produced"] == 0)
        #expect(planned.entries.contains { $0.outcome == "skipped" && $0.reason == "not-reached" })
        #expect(!scratch.files().contains { $0.hasPrefix("cache/originals/") })
    }

    @Test("makes deleted files again, byte for byte, and only those")
    func deletedFiles() throws {
        _ = try run("--quiet")
        let whole = try Snapshot(of: cache).store.filter { $0.key.contains(".") }
        let deleted = whole.keys.sorted().enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
        _ = try Program.run("/bin/rm", deleted.map { cache + "/store/" + $0 })
        let again = try RunLines(run("--quiet", "--json", "-"))
        #expect((again.run["variantsMade"] ?? 0) >= deleted.count)
        let mended = try Snapshot(of: cache).store.filter { $0.key.contains(".") }
        #expect(Set(mended.keys) == Set(whole.keys))
        let untouched = whole.filter { !deleted.contains($0.key) }
        #expect(mended.filter { untouched[$0.key] != nil } == untouched)
        #expect(try Program.judgedDemo(cache).status == 0)
    }
}
