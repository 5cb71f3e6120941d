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

    /// What leads from each version of the state back to the one before.
    private static let stepsBack = [
        """
        DROP INDEX source_by_host; DROP INDEX source_by_rendering;
        ALTER TABLE source DROP COLUMN host; ALTER TABLE source DROP COLUMN promise;
        ALTER TABLE source DROP COLUMN failure_at; ALTER TABLE source DROP COLUMN rendered_set;
        """,
        """
        DROP INDEX source_by_host; DROP INDEX source_by_variant_of;
        ALTER TABLE source DROP COLUMN variant_of; ALTER TABLE source DROP COLUMN wanted;
        CREATE INDEX source_by_host ON source (listing, host, id);
        """,
        """
        DROP TRIGGER variant_file_retired; DROP TRIGGER variant_retired;
        DROP TRIGGER original_file_retired; DROP TRIGGER original_retired; DROP TABLE retired;
        ALTER TABLE source DROP COLUMN seen_at; ALTER TABLE source DROP COLUMN first_night;
        ALTER TABLE source DROP COLUMN night; ALTER TABLE source DROP COLUMN nights;
        ALTER TABLE source DROP COLUMN hits; ALTER TABLE source DROP COLUMN earlier_hits;
        ALTER TABLE source DROP COLUMN evicted;
        """,
        """
        DROP INDEX source_by_host; ALTER TABLE source DROP COLUMN turn;
        CREATE INDEX source_by_host ON source (wanted, host, id);
        """,
    ]

    @Test(
        "A state of an earlier version is read as it is, and a run takes it over",
        arguments: 1...4
    )
    func migration(version: Int) async throws {
        let server = try await ScriptedServer.start([
            "/a.jpg": [.body(pictures[0], [("Cache-Control", "max-age=9000")])],
            "/b.jpg": [.status(404)],
        ])
        try write(["/a.jpg", "/b.jpg"].map { server.url($0) }, "revalidate: 'cache-control'")
        _ = try run()
        let back = Self.stepsBack[(version - 1)...].reversed().joined()
        try state(back + "PRAGMA user_version = \(version)")
        let schema = "SELECT group_concat(sql) FROM sqlite_schema WHERE name LIKE 'source%'"
        let columns = "SELECT group_concat(name) FROM pragma_table_info('source')"
        let steps = (1...version).map { ".read Sources/Prewarm/State/state-schema-000\($0).sql" }
        let earlier = try Program.run("/usr/bin/sqlite3", [":memory:"] + steps + [columns])
        #expect(try state(columns) == earlier.lines)
        let pipeline = scratch.path + "/night.json5"
        let before = try state(schema)
        for arguments in [
            ["status", "--cache", scratch.path + "/cache"], ["plan", pipeline],
            ["plan", pipeline, server.url("/a.jpg")],
        ] {
            let looked = try Program.run(Program.gearbox, arguments)
            #expect(looked.status == 0, "\(arguments): \(looked.errors)")
        }
        #expect(try state(schema) == before)
        #expect(try run().entries.map(\.outcome) == ["reused", "failed"])
        #expect(try state("PRAGMA user_version") == ["5"])
        #expect(try state("SELECT host FROM source LIMIT 1") == ["127.0.0.1:\(server.port)"])
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
