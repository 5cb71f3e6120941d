import Foundation
import LoopbackServers
import TestSupport
import Testing

/// What a later run asks for, and what it knows already, through the built program.
@Suite("A later night")
struct LaterNightsTests {
    private let scratch: Scratch
    private let pictures: [[UInt8]]
    private static let day = 86_400

    init() throws {
        scratch = try Scratch()
        pictures = try ["tiny-24.jpg", "user-01.jpg"].map { name in
            let path = Program.root + "/fixtures/origin/avatars/" + name
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        }
    }

    private func write(_ urls: [String], _ network: String = "", _ more: String = "") throws {
        try scratch.write(urls.map { $0 + "\n" }.joined(), to: "urls.txt")
        try scratch.write(
            """
            { manifests: ["urls.txt"], cache: "cache", variants: { modes: "requested" }, \(more)
              network: { allowPrivateAddresses: true, attempts: 1, \(network) } }
            """,
            to: "night.json5"
        )
    }

    private func run(_ options: String...) throws -> RunLines {
        try .night(in: scratch, options)
    }

    /// Looks into the state, or changes it between two runs.
    @discardableResult
    private func state(_ sql: String) throws -> [String] {
        let done = try Program.run("/usr/bin/sqlite3", [scratch.path + "/cache/state.sqlite", sql])
        #expect(done.status == 0, "\(done.errors)")
        return done.lines
    }

    @Test("A manifest's hash decides alone whether a held original is asked about")
    func hash() async throws {
        let server = try await ScriptedServer.start([
            "/a.jpg": pictures.map { .body($0, [("ETag", "\"1\"")]) }
        ])
        let versions = try pictures.map { try sha256($0) }
        try write([])
        func run(promising hash: String) throws -> RunLines {
            let row = "\(server.url("/a.jpg?imageView&thumbnail=30x30")),\(hash)"
            try scratch.write("url,hash\n\(row)\n", to: "urls.csv")
            return try self.run("--manifest", scratch.path + "/urls.csv")
        }
        #expect(try run(promising: "").entries.map(\.outcome) == ["produced"])
        let first = try scratch.index("SELECT file FROM variant")

        #expect(try run(promising: "sha256:\(versions[0])").entries.map(\.outcome) == ["reused"])
        #expect(try await server.log().requests.count == 1)
        #expect(try state("SELECT promise FROM source") == ["sha256:\(versions[0])"])

        #expect(try run(promising: "SHA256:\(versions[1])").status == 0)
        let asked = try await server.log().requests
        #expect(asked.count == 2)
        #expect(asked[1].headers["if-none-match"] == nil)
        #expect(try state("SELECT version FROM source") == [versions[1]])
        let second = try scratch.index("SELECT file FROM variant")
        #expect(first != second)

        let other = "md5:00000000000000000000000000000000"
        let refused = try run(promising: other)
        #expect(refused.entries.map(\.reason) == ["digest-mismatch"])
        #expect(try state("SELECT version FROM source") == [versions[1]])
        // What was made before keeps serving.
        #expect(try scratch.index("SELECT file FROM variant") == second)
        // The origin may have what is promised by the next night.
        #expect(try run(promising: other).status == 1)
        #expect(try await server.log().requests.count == 4)
    }

    @Test(
        "Bytes that were damaged on their way are asked for without conditions, night after night"
    )
    func damaged() async throws {
        let tag = [("ETag", "\"1\"")]
        let cut = Array(pictures[0].prefix(pictures[0].count / 2))
        let server = try await ScriptedServer.start([
            "/a.jpg": [
                .body(pictures[0], [("ETag", "\"0\"")]), .body(cut, tag),
                .body(cut, tag).with { $0.gzip = true }, .body(cut, tag), .status(500),
                .body(pictures[1], tag),
            ]
        ])
        try write([server.url("/a.jpg?imageView&thumbnail=30x30")])
        #expect(try run().entries.map(\.outcome) == ["produced"])
        let first = try scratch.index("SELECT file FROM variant")
        for reason in ["truncated", "partial-body", "truncated", "http-status"] {
            #expect(try run().entries.map(\.reason) == [reason])
            #expect(try scratch.index("SELECT file FROM variant") == first)
        }
        try write([server.url("/a.jpg?imageView&thumbnail=30x30")], "revalidate: '7d'")
        #expect(try run().entries.map(\.outcome) == ["produced"])
        let asked = try await server.requests("/a.jpg")
        #expect(asked.dropFirst(2).allSatisfy { $0.headers["if-none-match"] == nil })
    }

    @Test("A permanent answer counts for a week, or until what it depends on changes")
    func permanent() async throws {
        let good = Step.body(pictures[0])
        let server = try await ScriptedServer.start([
            "/gone.jpg": [.status(404), good], "/text.jpg": [.status(200, "<html>not here")],
            "/large.jpg": [.body(pictures[0] + Array(repeating: 0, count: 9_000))],
            "/down.jpg": [.status(500)], "/refused.jpg": [.status(403)],
        ])
        let paths = ["/gone.jpg", "/text.jpg", "/large.jpg", "/down.jpg", "/refused.jpg"]
        let reasons = ["gone", "unsupported-type", "too-large", "http-status", "http-status"]
        try write(paths.map { server.url($0) }, "", "limits: { bytes: 8000 },")
        for asked in [[1, 1, 1, 1, 1], [1, 1, 1, 2, 2]] {
            let run = try run()
            #expect(run.status == 1)
            #expect(run.entries.map(\.reason) == reasons)
            let message = run.entries[0].message ?? ""
            #expect(message.hasPrefix("HTTP 404; not asked for again before 20"))
            #expect(try await counts(server, paths) == asked)
        }
        let pipeline = scratch.path + "/night.json5"
        let ahead = try Program.gearbox("plan", pipeline)
        #expect(ahead.output.contains("3 known to fail"), "\(ahead.output)")
        let plan = try Program.gearbox("plan", pipeline, server.url("/gone.jpg"))
        #expect(plan.output.contains("gone: HTTP 404; not asked for again"), "\(plan.output)")

        let attempts =
            "SELECT failure_attempts FROM source WHERE path IN ('/gone.jpg', '/down.jpg')"
        #expect(try state(attempts + " ORDER BY path") == ["1", "0"])

        try write(paths.map { server.url($0) }, "", "limits: { bytes: 9000 },")
        _ = try run()
        #expect(try await counts(server, paths) == [1, 1, 2, 3, 3])

        try state("UPDATE source SET failure_at = failure_at - 6 * \(Self.day)")
        _ = try run()
        #expect(try await counts(server, paths) == [1, 1, 2, 4, 4])
        try state("UPDATE source SET failure_at = failure_at - \(Self.day)")
        #expect(
            try run().entries.map(\.reason) == [
                nil, "unsupported-type", "too-large", "http-status", "http-status",
            ]
        )
        #expect(try await counts(server, paths) == [2, 2, 3, 5, 5])

        try write(paths.map { server.url($0) }, "retryPermanentAfter: '2h'")
        try state("UPDATE source SET failure_at = failure_at - 3 * 3600")
        _ = try run()
        #expect(try await counts(server, paths)[1] == 3)
    }

    @Test("A mirror is looked at each night, whatever the host behind it has said")
    func mirror() async throws {
        let server = try await ScriptedServer.start(["/a.jpg": [.status(410)]])
        try FileManager.default.createDirectory(
            atPath: scratch.file("mirror"),
            withIntermediateDirectories: true
        )
        let origin = """
            origins: [{ name: "photos", hosts: ["127.0.0.1:\(server.port)"],
                        sources: [{ mirror: "mirror" }, "http"] }],
            """
        try write([server.url("/a.jpg")], "", origin)
        for _ in 0..<2 {
            let run = try run()
            #expect(run.entries.map(\.reason) == ["gone"])
            #expect(run.entries[0].message?.contains("HTTP 410") == true)
        }
        _ = try scratch.write(pictures[0], as: "mirror/a.jpg")
        #expect(try run().entries.map(\.outcome) == ["produced"])
        #expect(try await server.log().requests.count == 1)
    }

    @Test("The age that revalidate allows counts from the last question, not from the last run")
    func age() async throws {
        let server = try await ScriptedServer.start(["/a.jpg": [.body(pictures[0])]])
        try write([server.url("/a.jpg")], "revalidate: '7d'")
        #expect(try run().status == 0)
        for (days, count) in [(4, 1), (4, 2), (4, 2)] {
            try state("UPDATE source SET checked_at = checked_at - \(days * Self.day)")
            #expect(try run().status == 0)
            #expect(try await server.log().requests.count == count)
        }
    }

    @Test("Originals that are not kept need not be fetched again while nothing has changed")
    func notKept() async throws {
        let nginx = try Nginx(serving: "fixtures/origin")
        try write(
            ["http://\(nginx.host)/avatars/tiny-24.jpg"],
            "",
            "originals: { keep: false },"
        )
        for status in ["200", "304"] {
            #expect(try run().status == 0)
            #expect(try nginx.requests().last?.hasPrefix(status) == true)
        }
    }

    /// Fills the tables of an earlier version of the state, whose schema it has, from one of today.
    private static func filling(_ version: Int) -> String {
        let shared = """
            origin_id, path, opaque, url, hash, listing, version, file, bytes, format, etag,
            last_modified, cache_control, stamp, checked_at, rendered_version, rendered_format,
            rendered_bytes, width, height, animated, alpha, stale, failure_run, failure_stage,
            failure_code, failure, failure_attempts, failure_work
            """
        let later = [
            ", host, promise, failure_at, rendered_set", ", variant_of, wanted",
            ", seen_at, first_night, night, nights, hits, earlier_hits, evicted",
        ]
        let source = "id, " + shared + later.prefix(version - 1).joined()
        let variant = """
            id, origin_id, source_id, key, original, mode, box_width, box_height, quality,
            asked_format, enlarge, axis_x, axis_y, interlace, keeps_animation, extra, requested,
            wanted, version, work, run_id, format, width, height, animated, full_size, bytes, file,
            failure_run, failure_code, failure
            """
        let entry = "id, manifest_id, line, url, hash, hits, problem_code, problem"
        let same =
            (["setting", "run", "stage", "tally", "origin", "manifest"]
            + (version < 4 ? [] : ["retired"])).map {
                "INSERT INTO \($0) SELECT * FROM now.\($0);"
            }
        return same.joined() + """
            INSERT INTO source (\(source)) SELECT \(source) FROM now.source;
            INSERT INTO variant (\(variant)) SELECT \(variant) FROM now.keyed_variant;
            INSERT INTO entry (\(entry), variant_id) SELECT \(entry), a.variant_id
                FROM now.entry LEFT JOIN now.asked_variant AS a ON a.entry_id = id;
            INSERT INTO alias SELECT s.origin_id,
                substr(s.path, 1, instr(s.path || '?', '?') - 1) || f.ending, a.variant_id
                FROM now.alias AS a JOIN now.source AS s ON s.id = a.source_id
                JOIN now.alias_form AS f ON f.id = a.alias_form_id;
            PRAGMA application_id = 0x47455354; PRAGMA user_version = \(version);
            """
    }

    @Test(
        "A state of an earlier version is read as it is, and a run takes it over",
        arguments: 1...5
    )
    func migration(version: Int) async throws {
        let server = try await ScriptedServer.start([
            "/a.jpg": [.body(pictures[0], [("Cache-Control", "max-age=9000")])],
            "/b.jpg": [.status(404)],
        ])
        let asked = [
            "/a.jpg?imageView&thumbnail=50x50", "/a.jpg", "/b.jpg",
            "/a.jpg?thumbnail=50x50&imageView",
            "/a.jpg?imageView&thumbnail=9y9|watermark",
        ]
        try write(asked.map { server.url($0) }, "revalidate: 'cache-control'")
        _ = try run()
        let published = try published()
        #expect(try scratch.index("SELECT count(*) FROM alias") == ["3"])
        let now = try rows()
        let file = scratch.path + "/cache/state.sqlite"
        try FileManager.default.moveItem(atPath: file, toPath: scratch.path + "/now.sqlite")
        let steps = (1...version).map { ".read Sources/Prewarm/State/state-schema-000\($0).sql" }
        let attach = "ATTACH '\(scratch.path)/now.sqlite' AS now"
        let made = try Program.run(
            "/usr/bin/sqlite3",
            version == 5
                ? [scratch.path + "/now.sqlite", Self.backToVersion5, "VACUUM INTO '\(file)'"]
                : [file] + steps + [attach, Self.filling(version)]
        )
        #expect(made.status == 0, "\(made.errors)")
        let before = try state(".schema")
        let pipeline = scratch.path + "/night.json5"
        for arguments in [
            ["status", "--cache", scratch.path + "/cache"], ["plan", pipeline],
            ["plan", pipeline, server.url("/a.jpg")],
        ] {
            let looked = try Program.run(Program.gearbox, arguments)
            #expect(looked.status == 0, "\(arguments): \(looked.errors)")
        }
        #expect(try state(".schema") == before)
        // What the step makes of the old rows, before a plan writes them again.
        _ = try Program.gearbox("run", pipeline, "--only", "publish", "--quiet")
        #expect(try state("PRAGMA user_version") == ["6"])
        #expect(try rows() == now)
        #expect(
            try run().entries.map(\.outcome) == ["reused", "reused", "failed", "reused", "reused"]
        )
        #expect(try rows() == now)
        try state("UPDATE setting SET value = '0' WHERE name = 'isPublished'")
        _ = try run()
        #expect(try self.published() == published)
        #expect(try state("SELECT host FROM source LIMIT 1") == ["127.0.0.1:\(server.port)"])
        let verified = try Program.gearbox("verify", "--cache", scratch.file("cache"))
        #expect(verified.status == 0, "\(verified.output) \(verified.errors)")
    }

    private static let backToVersion5 = """
        DROP INDEX source_by_host; ALTER TABLE source DROP COLUMN turn;
        CREATE INDEX source_by_host ON source (wanted, host, id); PRAGMA user_version = 5
        """

    private func published() throws -> [String] {
        try scratch.index("SELECT * FROM variant ORDER BY id")
            + scratch.index("SELECT * FROM alias ORDER BY key")
    }

    /// What the state says of variants, their lines and aliases.
    private func rows() throws -> [String] {
        try state(
            """
            SELECT id, origin_id, source_id, key, original, mode, box_width, extra, requested > 0,
                lines, first_entry, version, file FROM keyed_variant ORDER BY id;
            SELECT * FROM asked_variant;
            SELECT a.source_id, a.variant_id, f.lead, f.ending
            FROM alias AS a JOIN alias_form AS f ON f.id = a.alias_form_id ORDER BY 4;
            """
        )
    }

    private func counts(_ server: ScriptedServer, _ paths: [String]) async throws -> [Int] {
        let asked = try await server.log().requests
        return paths.map { path in asked.count { $0.target == path } }
    }

    private func sha256(_ bytes: [UInt8]) throws -> String {
        let file = try scratch.write(bytes, as: "digested")
        return String(try Program.run("/usr/bin/sha256sum", [file]).output.prefix(64))
    }
}
