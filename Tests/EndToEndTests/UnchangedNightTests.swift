import Foundation
import PictureSupport
import TestSupport
import Testing

/// Nights in which little or nothing is new: what the run before has written is kept, and the outcome
/// is as if all had been read again.
@Suite("A night without news")
struct UnchangedNightTests {
    private let scratch: Scratch
    private static let boxes = ["30x30", "30y30", "60z60", "61x20", "60x60"]

    init() throws {
        scratch = try Scratch()
        try Self.lay(scratch, pictures: 0..<6)
        try Self.write(scratch, pictures: 0..<5)
    }

    /// Draws pictures into a mirror.
    private static func lay(_ scratch: Scratch, pictures: Range<Int>) throws {
        try Pillow.run(
            """
            import os
            os.makedirs("origin")
            for n in range(\(pictures.lowerBound), \(pictures.upperBound)):
                picture = Image.linear_gradient("L").resize((90 + n, 70)).rotate(n * 20)
                picture.convert("RGB").save(f"origin/{n}.jpg")
            """,
            in: scratch
        )
    }

    private static func write(_ scratch: Scratch, pictures: Range<Int>) throws {
        let urls = pictures.flatMap { number in
            boxes.map { "http://h/\(number).jpg?imageView&thumbnail=\($0)\n" }
        }
        try scratch.write(urls.joined() + "no url\n", to: "urls.txt")
    }

    private static func run(
        _ scratch: Scratch,
        _ variants: String = "",
        _ gears: String = "",
        _ options: [String] = []
    ) throws -> RunLines {
        try scratch.write(
            """
            { manifests: ["urls.txt"], cache: "cache", variants: { \(variants) },
              gears: { \(gears) },
              origins: [{ name: "o", hosts: ["h"], sources: [{ mirror: "origin" }] }] }
            """,
            to: "night.json5"
        )
        return try .night(in: scratch, options)
    }

    @Test("writes nothing into the store, publishes nothing and reads no manifest again")
    func unchanged() async throws {
        let written = ContinuousClock.now
        try Self.write(scratch, pictures: 0..<5)
        let first = try Self.run(scratch)
        #expect(first.run["produced"] == 25)
        #expect(first.count("unchanged", of: "ingest") == 0)
        let cache = scratch.file("cache")
        let before = try Snapshot(of: cache)
        #expect(before.store.count > 30 && before.originals.count > 5)
        // What was written just now could be again without being seen to.
        let soon = try Self.run(scratch)
        if ContinuousClock.now - written < .seconds(2) {
            #expect(soon.count("unchanged", of: "ingest") == 0)
        }
        try await Task.sleep(for: RunLines.settling)
        for isKept in [nil, 1, 1] {
            let again = try Self.run(scratch)
            if let isKept { #expect(again.count("unchanged", of: "ingest") == isKept) }
            #expect(again.count("entries", of: "ingest") == 26)
            #expect(again.count("simple", of: "canonicalize") == 25)
            #expect(again.count("sources", of: "plan") == 5)
            #expect(again.count("variants", of: "plan") == first.count("variants", of: "plan"))
            #expect(again.count("due", of: "plan") == 0)
            #expect(again.count("unchanged", of: "fetch") == 5)
            #expect(again.count("unchanged", of: "render") == 5)
            #expect(again.count("unchanged", of: "publish") == 1)
            #expect(again.run["reused"] == 25)
            #expect(again.entries.map(\.reason) == first.entries.map(\.reason))
            let after = try Snapshot(of: cache)
            #expect(after.store == before.store)
            #expect(after.originals == before.originals)
            #expect(after.index == before.index)
        }
        // An alias of the rules before must be told from those of the rules now.
        let ruled = try Self.run(scratch, "", "sizes: [20, 40, 64]")
        #expect(ruled.count("unchanged", of: "ingest") == 0)
        let plain = try Program.run("/bin/cp", [scratch.file("urls.txt"), scratch.file("copy")])
        #expect(plain.status == 0)
        let other = try Self.run(scratch, "", "", ["--manifest", scratch.file("copy")])
        #expect(other.count("unchanged", of: "ingest") == 0)
    }

    /// What may happen between two nights.
    private enum Event: CaseIterable {
        case nothing, fileLost, originalLost, pictureChanged, pictureGone, pictureBack, manifest
        case variants, gears, removal, eviction, refresh, stages
    }

    @Test(
        "has the outcome of one that reads all again, whatever has happened before",
        arguments: SeededGenerator.isSoaking ? Array(1...40) : [1, 2]
    )
    func sameOutcome(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let other = try Scratch()
        try Self.lay(other, pictures: 0..<6)
        try Self.write(other, pictures: 0..<5)
        var variants = ""
        var gears = ""
        var kept = 0
        try await Task.sleep(for: RunLines.settling)
        let events = [Event.nothing] + Event.allCases.shuffled(using: &random) + [.nothing]
        for event in events {
            let number = Int.random(in: 0..<5, using: &random)
            var options: [String] = []
            switch event {
            case .variants: variants = "modes: [\"x\", \"z\"], qualities: [39, 89]"
            case .gears: gears = "sizes: [20, 40, 64]"
            case .refresh: options = ["--refresh", "/\(number).jpg"]
            case .stages: options = ["--until", ["canonicalize", "plan"][number % 2]]
            default: break
            }
            for cache in [scratch, other] { try Self.happen(event, number, to: cache) }
            if event == .manifest { try await Task.sleep(for: RunLines.settling) }
            let one = try Self.run(scratch, variants, gears, options)
            kept += one.count("unchanged", of: "ingest")
            // Touched: read again.
            _ = try Program.run("/usr/bin/touch", [other.file("urls.txt")])
            let two = try Self.run(other, variants, gears, options)
            try #require(two.count("unchanged", of: "ingest") == 0)
            #expect(one.status == two.status, "seed \(random.seed), \(event)")
            #expect(Self.outcomes(one) == Self.outcomes(two), "seed \(random.seed), \(event)")
            for stage in ["canonicalize", "plan", "render"] {
                for name in ["simple", "sources", "variants", "due", "files lost"] {
                    let (a, b) = (one.count(name, of: stage), two.count(name, of: stage))
                    #expect(a == b, "seed \(random.seed), \(event), \(stage), \(name)")
                }
            }
            // What is kept is planned already.
            if options.last == "canonicalize" { continue }
            #expect(try Self.facts(scratch) == Self.facts(other), "seed \(random.seed), \(event)")
        }
        #expect(kept > events.count / 2, "seed \(random.seed)")
    }

    private static func happen(_ event: Event, _ number: Int, to scratch: Scratch) throws {
        let picture = scratch.file("origin/\(number).jpg")
        func shell(_ command: String) throws {
            let done = try Program.run("/bin/sh", ["-c", command], in: scratch.path)
            try #require(done.status == 0, "\(done.errors)")
        }
        switch event {
        case .fileLost:
            try shell("rm -f $(find cache/store -type f | sort | sed -n \(3 + number)p)")
        case .originalLost:
            try shell("rm -f $(find cache/originals -type f | sort | sed -n \(1 + number)p)")
        case .pictureChanged:
            try shell("cp origin/5.jpg \(picture).new; mv \(picture).new \(picture)")
        case .pictureGone: try shell("mv \(picture) kept")
        case .pictureBack: try shell("if [ -f kept ]; then mv kept \(picture); fi")
        case .manifest: try write(scratch, pictures: 1..<6)
        case .removal:
            let url = "http://h/\(number).jpg?imageView&thumbnail=30x30"
            _ = try Program.gearbox("remove", "--cache", scratch.file("cache"), url)
        case .eviction:
            _ = try Program.gearbox(
                "evict",
                "--cache",
                scratch.file("cache"),
                "--max-bytes",
                "9000"
            )
        case .nothing, .variants, .gears, .refresh, .stages: break
        }
    }

    private static func outcomes(_ run: RunLines) -> [String] {
        run.entries.map { "\($0.line) \($0.url) \($0.outcome) \($0.reason ?? "-")" }
    }

    /// What the index and the state say, but for numbers of rows and of listings.
    private static func facts(_ scratch: Scratch) throws -> [String] {
        let script = """
            import sqlite3, sys
            index, state = (sqlite3.connect(f"file:{sys.argv[1]}/{name}.sqlite?mode=ro", uri=True)
                            for name in ("index", "state"))
            for database, query in (
                (index, "SELECT path, version, width, height, stale FROM source"),
                (index, "SELECT key, mode, quality, width, height, file FROM variant"),
                (index, "SELECT a.key, v.key FROM alias a JOIN variant v ON v.id = a.variant_id"),
                (index, "SELECT value FROM meta WHERE name = 'generation'"),
                (state, "SELECT path, night, nights, hits, earlier_hits, failure_code FROM source"),
                (state, "SELECT key, lines, file FROM keyed_variant WHERE wanted ="
                        " (SELECT CAST(value AS INTEGER) FROM setting WHERE name = 'listing')"),
            ):
                for row in sorted(map(str, database.execute(query))): print(row)
            """
        let read = try Program.python("-c", script, scratch.file("cache"))
        try #require(read.status == 0, "\(read.errors)")
        return read.lines
    }
}
