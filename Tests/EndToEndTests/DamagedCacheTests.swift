import Foundation
import LoopbackServers
import TestSupport
import Testing

/// What happens where the files of a cache directory are not what the rows say.
@Suite("A cache directory with damaged, lost or left files")
struct DamagedCacheTests {
    private var scene: UpkeepScene
    private static let more = "variants: { qualities: [39, 89] },"

    init() throws { scene = try UpkeepScene(pictures: "abcd") }

    /// Has a file other bytes, as many as before.
    private func damage(_ file: String) throws {
        var bytes = try scene.scratch.bytes(of: "cache/" + file)
        for index in bytes.count / 2..<bytes.count / 2 + 200 { bytes[index] ^= 0x55 }
        _ = try scene.scratch.write(bytes, as: "cache/" + file)
    }

    private func variants(_ scene: UpkeepScene) throws -> [String] {
        try scene.scratch.index("SELECT key, file FROM variant ORDER BY key")
    }

    @Test("never has anything made of a damaged original, but has it fetched again")
    mutating func damagedOriginal() throws {
        var whole = try UpkeepScene(pictures: "abcd")
        for scene in [scene, whole] { #expect(try scene.run("ab").status == 0) }
        for file in scene.files(in: "originals") { try damage(file) }
        // While nothing is due of it nobody reads it.
        #expect(try scene.run("ab").count("originals damaged", of: "fetch") == 0)

        scene.options = Self.more
        whole.options = Self.more
        #expect(try whole.run("ab").status == 0)
        let run = try scene.run("ab")
        #expect(run.status == 0)
        #expect(run.count("originals damaged", of: "fetch") == 2)
        #expect(run.count("fetched", of: "fetch") == 2)
        #expect(try variants(scene) == variants(whole))
        #expect(scene.files(in: "originals") == whole.files(in: "originals"))
        try scene.expectClean()
        #expect(try scene.run("ab").count("fetched", of: "fetch") == 0)
    }

    @Test("has no stage of its own render a damaged original")
    mutating func damagedOriginalAlone() throws {
        #expect(try scene.run("ab", "--until", "fetch").status == 0)
        try damage(scene.files(in: "originals")[0])
        let render = try scene.run("ab", "--only", "render")
        #expect(render.status == 1)
        #expect(render.entries.compactMap(\.reason) == ["not-fetched"])
        #expect(try scene.run("ab").entries.map(\.outcome).sorted() == ["produced", "reused"])
        try scene.expectClean()
    }

    @Test("asks a server for a damaged original without conditions")
    func damagedOriginalOverHTTP() async throws {
        let picture = try scene.scratch.bytes(of: "origin/a.jpg")
        let tag = [("ETag", "\"1\"")]
        let server = try await ScriptedServer.start([
            "/a.jpg": [.body(picture, tag), .status(304), .body(picture, tag), .status(304)]
        ])
        let url = server.url("/a.jpg?imageView&thumbnail=60x60")
        try scene.scratch.write(url + "\n", to: "urls.txt")
        func run(_ more: String = "") throws -> RunLines {
            let network = "network: { allowPrivateAddresses: true, attempts: 1 }"
            try scene.scratch.write(
                "{ manifests: ['urls.txt'], cache: 'cache', \(more) \(network) }",
                to: "night.json5"
            )
            return try .night(in: scene.scratch)
        }
        #expect(try run().status == 0)
        try damage(scene.files(in: "originals")[0])
        #expect(try run(Self.more).status == 0)
        let asked = try await server.requests("/a.jpg")
        #expect(asked.map { $0.headers["if-none-match"] } == [nil, "\"1\"", nil])
        #expect(try scene.scratch.bytes(of: "cache/" + scene.files(in: "originals")[0]) == picture)
        try scene.expectClean()
        #expect(try run(Self.more).status == 0)
    }

    @Test("has no orphan where a picture is broken and nothing is published")
    func brokenPicture() throws {
        #expect(try scene.run("ab").status == 0)
        let whole = try scene.scratch.bytes(of: "origin/a.jpg")
        _ = try scene.scratch.write(Array(whole.prefix(whole.count / 2)), as: "origin/a.jpg")
        for _ in 0..<2 {
            #expect(try scene.run("ab").status == 1)
            try scene.expectClean()
        }
    }

    @Test("has a file made again where a folder lies in its place")
    func folderForFile() throws {
        #expect(try scene.run("a").status == 0)
        let file = scene.cache + "/" + scene.files(in: "store")[0]
        for command in ["run", "verify"] {
            try FileManager.default.removeItem(atPath: file)
            try FileManager.default.createDirectory(
                atPath: file,
                withIntermediateDirectories: false
            )
            if command == "verify" { #expect(try scene.upkeep("verify", "--repair").status == 1) }
            #expect(try scene.run("a").status == 0)
            try scene.expectWhole()
            try scene.expectClean()
        }
    }

    /// What SQLite would go on with: it says nothing of it.
    private static let damages = [
        // A byte of a file's name that is no text.
        "file name": #"s/(store\/..\/)./${1}\xa4/"#,
        "schema": "s/promise/promisX/g",
    ]

    @Test("has a damaged state found and set aside", arguments: ["file name", "schema"])
    func damagedState(damage: String) throws {
        #expect(try scene.run("ab").status == 0)
        let path = scene.cache + "/state.sqlite"
        let damaged = try Program.run(
            "/usr/bin/perl",
            ["-0777", "-pi", "-e", try #require(Self.damages[damage]), path]
        )
        #expect(damaged.status == 0, "\(damaged.errors)")
        if damage == "schema" {
            for command in ["verify", "run"] {
                let found =
                    command == "run" ? try scene.run("ab").status : try scene.upkeep(command).status
                #expect(found == 4, "\(command)")
                let aside = path + ".damaged"
                #expect(FileManager.default.fileExists(atPath: aside), "\(command)")
                if command == "verify" {
                    try FileManager.default.moveItem(atPath: aside, toPath: path)
                }
            }
        }
        #expect(try scene.run("ab").status == 0)
        #expect(try scene.run("ab").status == 0)
        try scene.expectClean()
        #expect(try scene.published() == "ab")
    }

    /// Swaps two pages, or sets a byte, of what SQLite's own check may find nothing wrong with.
    private static let vandal = """
        import sqlite3, sys
        path, what = sys.argv[1:]
        roots = dict(sqlite3.connect(path).execute("SELECT name, rootpage FROM sqlite_schema"))
        data = bytearray(open(path, "rb").read())
        if what == "free pages": data[39] = 1
        elif what == "path": data[data.find(b"/b.jpghttp://") + 1] ^= 1
        else:
            (a, b) = ((roots[name] - 1) * 4096 for name in what.split())
            data[a:a + 4096], data[b:b + 4096] = data[b:b + 4096], data[a:a + 4096]
        open(path, "wb").write(data)
        """

    @Test(
        "has a state that is damaged inside set aside, and never crashes",
        arguments: [
            "free pages", "path", "stage form_by_name", "source_by_name source_by_host",
            "variant source", "form setting",
        ]
    )
    func damagedPages(what: String) throws {
        #expect(try scene.run("abc").status == 0)
        let done = try Program.python("-c", Self.vandal, scene.cache + "/state.sqlite", what)
        #expect(done.status == 0, "\(done.errors)")
        let before = try scene.scratch.bytes(of: "cache/index.sqlite")
        _ = try Program.run(
            "/bin/sh",
            ["-c", "cp origin/d.jpg origin/a.jpg; cp origin/d.jpg origin/b.jpg"],
            in: scene.scratch.path
        )
        for command in ["plan", "status"] {
            let operand =
                command == "plan" ? [scene.scratch.file("p.json5")] : ["--cache", scene.cache]
            let looked = try Program.run(Program.gearbox, [command] + operand)
            #expect([0, 4].contains(looked.status), "\(command): \(looked.errors)")
        }
        let first = try scene.run("abc").status
        #expect([0, 4].contains(first))
        if first == 4 {
            #expect(FileManager.default.fileExists(atPath: scene.cache + "/state.sqlite.damaged"))
            #expect(try scene.scratch.bytes(of: "cache/index.sqlite") == before)
        }
        #expect(try scene.run("abc").status == 0)
        // What the runs had no need to look at.
        if try scene.upkeep("verify").status == 4 { #expect(try scene.run("abc").status == 0) }
        try scene.expectClean()
        #expect(try scene.published() == "abc")
    }

    @Test(
        "goes on where the index before the published one is damaged, or something else lies there"
    )
    func earlierIndexes() throws {
        #expect(try scene.run("a").status == 0)
        #expect(try scene.run("ab").status == 0)
        let before = "cache/previous/1.sqlite"
        _ = try scene.scratch.write(
            Array(scene.scratch.bytes(of: before).prefix(20_000)),
            as: before
        )
        try scene.scratch.write("mine", to: "cache/previous/.1.sqlite.swp")
        // As after a run that was killed.
        try scene.state("UPDATE run SET exit_status = NULL WHERE id = (SELECT max(id) FROM run)")
        #expect(try scene.run("ab").status == 0)
        try scene.expectClean()
        #expect(try scene.run("abc").status == 0)
        #expect(try scene.upkeep("remove", "http://h/a.jpg").status == 0)
        try scene.expectClean()
        #expect(scene.files(in: "previous").contains("previous/.1.sqlite.swp"))
    }

    @Test("has an index without what is lost, also of what no manifest names any more")
    func lostFile() throws {
        #expect(try scene.run("ab").status == 0)
        #expect(try scene.run("b").status == 0)
        let files = try scene.scratch.index("SELECT file FROM variant WHERE key LIKE '/a.jpg?%'")
        try FileManager.default.removeItem(atPath: scene.cache + "/" + files[0])
        let run = try scene.run("b")
        #expect(run.status == 0)
        #expect(run.count("files lost", of: "plan") == 1)
        #expect(run.count("due", of: "plan") == 0)
        try scene.expectWhole()
        try scene.expectClean()
        #expect(try variants(scene).count == 2 * files.count - 1)
        // What is named again is made again.
        #expect(try scene.run("ab").run["variantsMade"] == 1)
        #expect(try variants(scene).count == 2 * files.count)
    }

    @Test("is left as it is by a run where the store's disk is not there")
    func emptyStore() throws {
        #expect(try scene.run("ab").status == 0)
        let store = scene.cache + "/store"
        try FileManager.default.moveItem(atPath: store, toPath: store + "-of-another-disk")
        let before = try scene.scratch.bytes(of: "cache/index.sqlite")
        let refused = try scene.run("ab")
        #expect(refused.status == 4)
        #expect(refused.errors.contains("is its disk mounted?"), "\(refused.errors)")
        #expect(try scene.scratch.bytes(of: "cache/index.sqlite") == before)
        #expect(try scene.upkeep("status").output.contains("is its disk mounted?"))
        for command in [["remove", "http://h/a.jpg"], ["evict", "--max-bytes", "1"]] {
            let refused = try Program.run(
                Program.gearbox,
                [command[0], "--cache", scene.cache] + command.dropFirst()
            )
            #expect(refused.status == 4, "\(command)")
        }
        let forecast = try scene.run("ab", "--dry-run")
        #expect(forecast.status == 4)
        try FileManager.default.removeItem(atPath: store)
        try FileManager.default.moveItem(atPath: store + "-of-another-disk", toPath: store)
        #expect(try scene.run("ab").run["reused"] == 2)
        try scene.expectClean()
    }

    @Test("loses what a killed run has made and the next one makes otherwise")
    mutating func orphans() throws {
        #expect(try scene.run("a").status == 0)
        try scene.scratch.write(
            ["a", "b", "c"].map { "http://h/\($0).jpg?imageView&thumbnail=60x60\n" }.joined(),
            to: "urls.txt"
        )
        let killed = try Program.gearbox(
            "run",
            scene.scratch.file("p.json5"),
            "--quiet",
            environment: ["GEARBOX_KILL_AT": "file-named:5"]
        )
        #expect(killed.status == -SIGKILL)
        scene.options = "variants: { steps: [{ blur: { sigma: 3 } }] },"
        #expect(try scene.run("abc").count("files removed", of: "publish") > 0)
        // The index before this one keeps its own.
        try scene.expectWhole("previous/1.sqlite")
        try scene.expectClean()
        // What no program of ours has named stays.
        try scene.scratch.write("mine", to: "cache/store/00/notes.txt")
        #expect(try scene.run("abc").status == 0)
        #expect(scene.files(in: "store/00").contains("store/00/notes.txt"))
    }

    @Test("loses what only a lost state knew")
    func lostState() throws {
        #expect(try scene.run("abcd").status == 0)
        let old = Set(scene.files(in: "originals"))
        #expect(old.count == 4)
        _ = try Program.run(
            "/bin/bash",
            ["-c", "rm cache/state.sqlite*; cp origin/d.jpg origin/a.jpg"],
            in: scene.scratch.path
        )
        #expect(try scene.run("abcd").status == 0)
        #expect(Set(scene.files(in: "originals")).isStrictSubset(of: old))
        try scene.expectClean()
    }
}
