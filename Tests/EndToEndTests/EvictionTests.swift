import Foundation
import LoopbackServers
import PictureSupport
import TestSupport
import Testing

@Suite("An eviction")
struct EvictionTests {
    private let scene: UpkeepScene

    init() throws { scene = try UpkeepScene() }

    private func bytes(_ of: String = "store") throws -> Int {
        try scene.files(in: of).reduce(0) { try $0 + scene.scratch.bytes(of: "cache/" + $1).count }
    }

    /// Nights in which a and b are asked for once, c and d again, and e and f now.
    private func nights() throws {
        for pictures in ["abcd", "cd", "def"] { #expect(try scene.run(pictures).status == 0) }
        #expect(
            try scene.state("SELECT nights FROM source ORDER BY path") == [
                "1", "1", "2", "3", "1", "1",
            ]
        )
    }

    @Test("takes what one night has named first, then what was named longest ago")
    func order() throws {
        try nights()
        var left = "abcdef"
        for gone in ["a", "b", "e", "f", "c", "d"] {
            let size = try #require(Int(scene.state(Self.bytes)[0]))
            let evicted = try scene.upkeep("evict", "--max-bytes", "\(size - 1)", "--json")
            #expect(evicted.status == 0)
            let json = try JSONText(evicted.output)
            #expect(json.integer("sources") == 1)
            #expect(json.integer("wantedSources") == ("def".contains(gone) ? 1 : 0))
            left.removeAll { String($0) == gone }
            #expect(try scene.published() == left)
            try scene.expectWhole()
            try scene.expectClean()
        }
    }

    private static let bytes = """
        SELECT sum(bytes) FROM (SELECT DISTINCT file, bytes FROM variant WHERE file IS NOT NULL)
        """

    @Test("leaves what the published index and the one before it name, unless forced")
    func generations() throws {
        #expect(try scene.run("abc").status == 0)
        let before = scene.files(in: "store")
        let evicted = try scene.upkeep("evict", "--max-bytes", "1")
        #expect(evicted.status == 0)
        #expect(evicted.output.contains("files go when the next index is published"))
        #expect(scene.files(in: "store") == before)
        #expect(scene.files(in: "previous") == ["previous/1.sqlite"])
        try scene.expectWhole("previous/1.sqlite")
        #expect(try scene.published() == "")

        // The next index: the files of the first go, but for those that are made again.
        #expect(try scene.run("a").status == 0)
        #expect(scene.files(in: "previous") == ["previous/2.sqlite"])
        #expect(scene.files(in: "store").count == before.count / 3)
        try scene.expectWhole()
        try scene.expectClean()

        let forced = try scene.upkeep("evict", "--max-bytes", "1", "--force")
        #expect(forced.status == 0)
        #expect(scene.files(in: "store") == [])
        // There is room enough.
        #expect(scene.files(in: "originals").count == 3)
    }

    @Test("only said changes nothing")
    func dry() throws {
        try nights()
        let before = try Snapshot(of: scene.cache)
        let said = try scene.upkeep("evict", "--max-bytes", "1", "--max-age", "1s", "--dry-run")
        #expect(said.output.hasPrefix("would evict 6 sources"), "\(said.output)")
        let after = try Snapshot(of: scene.cache)
        #expect(before.store == after.store && before.index == after.index)
        try scene.expectClean()
    }

    @Test("by age takes what no manifest has named for so long")
    func age() throws {
        #expect(try scene.run("abc").status == 0)
        try scene.state("UPDATE source SET seen_at = seen_at - 864000 WHERE path <> '/c.jpg'")
        #expect(try scene.run("b").status == 0)
        #expect(try scene.upkeep("evict", "--max-age", "11d").status == 0)
        #expect(try scene.published() == "abc")
        #expect(try scene.upkeep("evict", "--max-age", "9d").status == 0)
        #expect(try scene.published() == "bc")
    }

    @Test(
        "at a run's end keeps the pipeline's budget, says whose variants went, and publishes once"
    )
    func run() throws {
        #expect(try scene.run("abc").status == 0)
        var scene = scene
        let budget = try #require(Int(scene.state(Self.bytes)[0]))
        scene.options = "budget: { maxBytes: \(budget), maxAge: '30d' },"
        // d to f came last; of a night the lines have equal hits.
        let run = try scene.run("abcdef")
        #expect(run.status == 0)
        #expect(
            run.entries.map(\.outcome) == [
                "reused", "reused", "reused", "skipped", "skipped", "skipped",
            ]
        )
        #expect(run.entries.map(\.reason) == [nil, nil, nil, "evicted", "evicted", "evicted"])
        #expect(run.count("still wanted", of: "evict") == 3)
        #expect(try scene.published() == "abc")
        #expect(
            try scene.scratch.index("SELECT value FROM meta WHERE name = 'generation'") == ["2"]
        )
        try scene.expectWhole()
        // Never published, so nobody can have them open.
        #expect(try scene.upkeep("evict").status == 0)
        #expect(try bytes() <= budget)
        try scene.expectClean()
        #expect(try scene.run("abc").entries.map(\.outcome) == ["reused", "reused", "reused"])
    }

    @Test("takes first what the pipeline does not ask for any more")
    func superseded() throws {
        var scene = scene
        scene.options = "variants: { qualities: [69, 89] },"
        #expect(try scene.run("abcd").status == 0)
        let kept = try #require(Int(scene.state(Self.bytes)[0]))
        scene.options = "variants: { qualities: [39, 89] }, budget: { maxBytes: \(kept) },"
        // A source that the manifests do not name has not been asked for less.
        let run = try scene.run("bcd")
        #expect(run.status == 0)
        #expect(run.count("sources", of: "evict") == 0)
        #expect(run.count("variants", of: "evict") > 0)
        #expect(run.count("still wanted", of: "evict") == 0)
        #expect(try scene.published() == "abcd")
        let qualities = "SELECT DISTINCT substr(key, 1, 6), quality FROM variant ORDER BY 1, 2"
        let left = try scene.scratch.index(qualities)
        #expect(left.contains("/a.jpg 69") && left.contains("/b.jpg 39"), "\(left)")
        #expect(!left.contains("/b.jpg 69"), "\(left)")
        try scene.expectWhole()
        try scene.expectClean()
        // What is within the budget stays.
        #expect(try scene.run("bcd").count("variants", of: "evict") == 0)

        let evicted = try scene.upkeep("evict", "--max-bytes", "1", "--dry-run", "--json")
        let json = try JSONText(evicted.output)
        #expect(json.integer("bytesAfter") == 0 && json.integer("sources") == 4)
        let all = try scene.state("SELECT count(*) FROM variant WHERE file IS NOT NULL")[0]
        #expect(json.integer("variants") == Int(all))
    }

    @Test("takes first what an origin renders and nobody asks for any more")
    func supersededRemote() async throws {
        let picture = try scene.scratch.bytes(of: "origin/a.jpg")
        let other = try scene.scratch.bytes(of: "origin/b.jpg")
        let tag = [("ETag", "\"1\"")]
        let server = try await ScriptedServer.start([
            "/a.jpg?imageView=1&quality=89&thumbnail=60x60": [.body(picture, tag), .status(304)],
            "/a.jpg?imageView=1&quality=89&thumbnail=90x90": [.body(other, tag), .status(304)],
        ])
        func run(_ size: Int, _ budget: String = "") throws -> RunLines {
            let url = server.url("/a.jpg?imageView&quality=89&thumbnail=\(size)x\(size)")
            try scene.scratch.write(url + "\n", to: "urls.txt")
            try scene.scratch.write(
                """
                { manifests: ["urls.txt"], cache: "cache", variants: { modes: "requested" }, \(budget)
                  origins: [{ name: "o", hosts: ["127.0.0.1:\(server.port)"], render: "remote" }],
                  network: { allowPrivateAddresses: true, attempts: 1 } }
                """,
                to: "night.json5"
            )
            return try .night(in: scene.scratch)
        }
        #expect(try run(60).status == 0)
        let first = try #require(Int(scene.state(Self.bytes)[0]))
        #expect(try run(90).status == 0)
        let both = try #require(Int(scene.state(Self.bytes)[0]))
        #expect(both > first)
        let kept = try run(90, "budget: { maxBytes: \(both - 1) },")
        #expect(kept.entries.map(\.outcome) == ["reused"])
        #expect(kept.count("variants", of: "evict") == 1)
        #expect(kept.count("sources", of: "evict") == 0)
        #expect(try scene.scratch.index("SELECT box_width FROM variant") == ["90"])
        try scene.expectClean()
    }

    @Test("counts each file once, also where nothing has to go")
    func sharedBytes() throws {
        _ = try Program.run(
            "/bin/cp",
            [scene.scratch.file("origin/a.jpg"), scene.scratch.file("origin/b.jpg")]
        )
        #expect(try scene.run("ab").status == 0)
        let size = try #require(Int(scene.state(Self.bytes)[0]))
        let evicted = try JSONText(scene.upkeep("evict", "--json").output)
        #expect(evicted.integer("bytesBefore") == size)
        #expect(evicted.integer("bytesAfter") == size)
        #expect(evicted.integer("originalsForRoom") == 0)
    }

    @Test("of originals costs no transfer while nothing is due")
    func originals() throws {
        var scene = scene
        #expect(try scene.run("abcd").status == 0)
        let size = try bytes("originals")
        scene.options = "originals: { maxBytes: \(size / 2) },"
        let run = try scene.run("abcd")
        #expect(run.count("originals", of: "evict") > 1)
        #expect(try bytes("originals") <= size / 2)
        let again = try scene.run("abcd")
        #expect(again.count("unchanged", of: "fetch") == 4)
        #expect(again.count("fetched", of: "fetch") == 0)
        #expect(again.entries.map(\.outcome) == ["reused", "reused", "reused", "reused"])
        #expect(again.count("originals", of: "evict") == 0)
        try scene.expectClean()
    }

    @Test("or a removal takes with a source what its origin has rendered of it")
    func remote() async throws {
        let pictures = try ["a", "b"].map {
            try scene.scratch.bytes(of: "origin/\($0).jpg")
        }
        let server = try await ScriptedServer.start([
            "/a.jpg": [.body(pictures[0])],
            "/b.jpg": [.body(pictures[1])],
        ])
        let names = ["/a.jpg?param=60x60", "/a.jpg?param=90x90", "/b.jpg?param=60x60"]
        try scene.scratch.write(names.map { server.url($0) + "\n" }.joined(), to: "urls.txt")
        try scene.scratch.write(
            """
            { manifests: ["urls.txt"], cache: "cache", variants: { modes: "requested" },
              origins: [{ name: "o", hosts: ["127.0.0.1:\(server.port)"], render: "remote" }],
              network: { allowPrivateAddresses: true } }
            """,
            to: "night.json5"
        )
        func run() throws -> RunLines {
            let words = ["run", scene.scratch.file("night.json5"), "--quiet", "--json", "-"]
            return try RunLines(Program.run(Program.gearbox, words))
        }
        #expect(try run().entries.map(\.outcome) == ["produced", "produced", "produced"])
        let size = try #require(Int(scene.state(Self.bytes)[0]))
        let evicted = try scene.upkeep("evict", "--max-bytes", "\(size - 1)", "--force", "--json")
        // Both have one night; b has fewer hits.
        let json = try JSONText(evicted.output)
        #expect(json.integer("sources") == 1 && json.integer("variants") == 1)
        #expect(try scene.published() == "a")
        try scene.expectWhole()
        try scene.expectClean()
        #expect(try run().entries.map(\.outcome) == ["reused", "reused", "produced"])
        #expect(try scene.upkeep("remove", server.url("/a.jpg")).status == 0)
        #expect(try scene.published() == "b")
        #expect(scene.files(in: "originals").count == 1)
        #expect(scene.files(in: "store").count == 1)
        try scene.expectClean()
    }

    @Test(
        "that is forced makes room to work for itself where the disk is full",
        .enabled(if: PreparedNight.mayMount, "needs the right to mount a file system"),
        arguments: ["originals", "variants", "waiting files"]
    )
    func fullDisk(going: String) throws {
        var scene = scene
        let keepsOriginals = going == "originals"
        let steps = going == "waiting files" ? "steps: ['grayscale']" : ""
        scene.options = "originals: { keep: \(keepsOriginals) }, gears: { sizes: [1200] },"
        // A picture of which each file is larger than what the work takes.
        try Pillow.run(
            """
            noise = random.Random(5).randbytes(1800 * 1400 * 3)
            Image.frombytes('RGB', (1800, 1400), noise).save('origin/a.jpg', quality=95)
            """,
            in: scene.scratch
        )
        #expect(try scene.run("abcdef").status == 0)
        // What was made before waits as long as the index before names it.
        scene.options += "variants: { \(steps) },"
        #expect(try scene.run("abcdef").status == 0)
        let isWaiting = going == "waiting files"
        let most = isWaiting ? "1GiB" : "9000"
        let script = """
            disk=$1/disk; mkdir "$disk"
            mount -t tmpfs -o size=100m tmpfs "$disk"
            cp -a "$1/cache" "$1/p.json5" "$1/urls.txt" "$1/origin" "$disk"
            "$0" run "$disk/p.json5" --quiet; echo "status $?"
            fill() { cat /dev/zero > "$disk/full-$1" 2> /dev/null; }
            fill 1
            "$0" remove --cache "$disk/cache" http://h/b.jpg; echo "status $?"
            fill 2
            "$0" evict --cache "$disk/cache" --max-bytes \(most) --force; echo "status $?"
            fill 3
            sqlite3 "$disk/cache/index.sqlite" "SELECT 'published', count(*) FROM source"
            rm "$disk"/full-*
            "$0" run "$disk/p.json5" --quiet; echo "status $?"
            "$0" verify --cache "$disk/cache" > /dev/null; echo "status $?"
            """
        let done = try Program.run(
            "/usr/bin/unshare",
            ["-m", "/bin/bash", "-c", script, Program.gearbox, scene.scratch.path]
        )
        let said = "\(done.output)\n\(done.errors)"
        let words = done.lines.filter { $0.hasPrefix("status") || $0.hasPrefix("published") }
        #expect(
            words.map { $0.prefix(9) } == [
                "status 0", "status 4", "status 0", "published", "status 0", "status 0",
            ],
            "\(said)"
        )
        #expect((words[3] == "published|6") == isWaiting, "\(said)")
        #expect(done.output.contains("went to have room to work") == keepsOriginals, "\(said)")
    }

    @Test("that is stopped between its steps leaves a whole index, and is finished by the next")
    func stopped() throws {
        #expect(try scene.run("ab").status == 0)
        #expect(try scene.run("abc").status == 0)
        // Rows are gone, the index cannot be published.
        let kept = scene.cache + "/previous"
        try FileManager.default.moveItem(atPath: kept, toPath: kept + "-aside")
        try scene.scratch.block("cache/previous")
        #expect(try scene.upkeep("evict", "--max-bytes", "1", "--force").status == 4)
        #expect(try scene.published() == "abc")
        try scene.expectWhole()
        try FileManager.default.removeItem(atPath: kept)
        try FileManager.default.moveItem(atPath: kept + "-aside", toPath: kept)

        // It is published, a file cannot be removed.
        let file = try #require(scene.files(in: "store").last)
        let path = scene.cache + "/" + file
        try FileManager.default.moveItem(atPath: path, toPath: path + "-aside")
        try scene.scratch.write("", to: "cache/\(file)/in-the-way")
        #expect(try scene.upkeep("evict", "--max-bytes", "1", "--force").status == 4)
        #expect(try scene.published() == "")
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + "-aside", toPath: path)
        #expect(try scene.upkeep("evict", "--max-bytes", "1", "--force").status == 0)
        #expect(scene.files(in: "store") == [])
        try scene.expectClean()
    }
}
