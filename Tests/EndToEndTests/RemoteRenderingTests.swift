import Foundation
import LoopbackServers
import PictureSupport
import TestSupport
import Testing

/// `render: "remote"` through the built program: the origin renders, and its variants are fetched.
@Suite("An origin that renders")
struct RemoteRenderingTests {
    private let scratch: Scratch
    /// What the origin has: the original, and pictures that it makes of it.
    private let original: [UInt8]
    private let small: [UInt8]
    private let large: [UInt8]
    private let other: [UInt8]
    private let moving: [UInt8]

    init() throws {
        scratch = try Scratch()
        try Pillow.run(
            """
            photo((400, 300)).save('original.jpg')
            photo((60, 45)).save('small.png')
            photo((120, 90)).save('large.webp')
            photo((60, 45)).rotate(180).save('other.png')
            frames = [Image.new('RGB', (60, 45), c) for c in ('red', 'blue')]
            frames[0].save('moving.gif', save_all=True, append_images=frames[1:], duration=100)
            """,
            in: scratch
        )
        let files = ["original.jpg", "small.png", "large.webp", "other.png", "moving.gif"]
        let bytes = try files.map { [scratch] name in
            [UInt8](try Data(contentsOf: URL(fileURLWithPath: scratch.file(name))))
        }
        (original, small, large) = (bytes[0], bytes[1], bytes[2])
        (other, moving) = (bytes[3], bytes[4])
    }

    private static func key(_ thumbnail: String) -> String {
        "/a.jpg?imageView=1&quality=89&thumbnail=\(thumbnail)"
    }

    private func write(
        _ server: ScriptedServer,
        _ urls: [String],
        origin: String = "render: 'remote'",
        variants: String = "",
        hosts: String? = nil,
        more: String = ""
    ) throws {
        let hosts = hosts ?? "'127.0.0.1:\(server.port)'"
        try scratch.write(urls.map { server.url($0) + "\n" }.joined(), to: "urls.txt")
        try scratch.write(
            """
            { manifests: ["urls.txt"], cache: "cache", \(more)
              variants: { modes: "requested", \(variants) },
              origins: [{ name: "photos", hosts: [\(hosts)], \(origin) }],
              network: { allowPrivateAddresses: true, attempts: 1 } }
            """,
            to: "night.json5"
        )
    }

    private func run(_ options: String...) throws -> RunLines {
        try .night(in: scratch, options)
    }

    private func index(_ sql: String) throws -> [String] {
        let done = try Program.run("/usr/bin/sqlite3", [scratch.path + "/cache/index.sqlite", sql])
        #expect(done.status == 0, "\(done.errors)")
        return done.lines
    }

    private func variants() throws -> [String] {
        try index(
            """
            SELECT substr(key, 41), format, width, height, animated, full_size FROM variant
            ORDER BY source_id IS NULL, key
            """
        )
    }

    private func answers(_ urls: [String]) throws -> [String?] {
        let done = try Program.run(
            Program.gearbox,
            ["resolve", "--cache", scratch.path + "/cache", "--json"] + urls
        )
        return try done.lines.map { try JSONText($0).text("result") }
    }

    /// The targets that were asked for since a number of requests.
    private func asked(_ server: ScriptedServer, after count: Int = 0) async throws -> [String] {
        try await server.log().requests.dropFirst(count).map { request in
            (request.headers["if-none-match"] == nil ? "" : "if changed ") + request.target
        }.sorted()
    }

    // MARK: One night

    @Test("Its variants are fetched by their canonical URLs and kept as they are, nothing else is")
    func fetches() async throws {
        let moves = Self.key("60x60") + "&tostatic=0"
        let verbatim = "/a.jpg?watermark&param=9x9"
        let server = try await ScriptedServer.start([
            Self.key("60x60"): [.body(small)], Self.key("120x120"): [.body(large)],
            moves: [.body(moving)], verbatim: [.body(other)],
        ])
        // The third asks for what the first does.
        let urls = [
            "/a.jpg?param=50x50", "/a.jpg?param=99x99", "/a.jpg?quality=80&thumbnail=60x60",
            "/a.jpg?param=60x60&tostatic=0", verbatim,
        ]
        try write(server, urls)
        let ahead = try Program.gearbox("plan", scratch.path + "/night.json5")
        #expect(ahead.output.contains("4 to fetch"), "\(ahead.output)")
        #expect(ahead.output.contains("3 to store"), "\(ahead.output)")

        let night = try run()
        #expect(night.status == 0, "\(night.entries)")
        #expect(night.entries.allSatisfy { $0.outcome == "produced" })
        #expect(night.count("fetched", of: "fetch") == 4)
        #expect(night.count("stored", of: "render") == 3)
        // What goes verbatim is no variant of anything.
        #expect(night.count("rendered", of: "render") == 1)
        #expect(
            try await asked(server)
                == [Self.key("60x60"), Self.key("120x120"), moves, verbatim].sorted()
        )
        #expect(
            try variants() == [
                "120x120|webp|120|90|0|0", "60x60|png|60|45|0|0", "60x60&tostatic=0|gif|60|45|1|0",
                "|png|60|45|0|1",
            ]
        )
        #expect(try index("SELECT path, width, version FROM source") == ["/a.jpg||"])
        #expect(try index("SELECT count(*) FROM variant WHERE source_id IS NULL") == ["1"])
        let files = try index("SELECT file FROM variant WHERE format = 'png' AND mode = 'x'")
        #expect(try scratch.bytes(of: "cache/" + files[0]) == small)
        // No size of the original is known, so nothing stands in for anything.
        let results = try answers((urls + ["/a.jpg?param=30x30"]).map { server.url($0) })
        #expect(results == ["exact", "exact", "exact", "exact", "exact", "miss"])
    }

    @Test("What a plain URL wants is the original, and a signed URL is good for itself alone")
    func plain() async throws {
        let server = try await ScriptedServer.start(["/a.jpg": [.body(original)]])
        try write(server, ["/a.jpg?sign=0a1b"], variants: "sizes: [60]")
        #expect(try run().status == 0)
        #expect(try await asked(server) == ["/a.jpg?sign=0a1b"])
        #expect(try index("SELECT key, width FROM variant") == ["/a.jpg|400"])
        // Without probe it does not depend on the manifest whether reuse answers.
        #expect(try index("SELECT width FROM source") == [""])

        try write(server, ["/a.jpg"], variants: "sizes: [60]")
        _ = try run()
        #expect(try await asked(server, after: 1) == ["/a.jpg", Self.key("60x60")])

        // What is known already is only to be said.
        try write(
            server,
            ["/a.jpg"],
            origin: "render: 'remote', probe: true",
            variants: "sizes: [60]"
        )
        #expect(try run().count("published", of: "publish") == 1)
        #expect(try index("SELECT width FROM source") == ["400"])
    }

    @Test("Where a host does not answer, the origin's other one has the variant")
    func otherHost() async throws {
        let server = try await ScriptedServer.start([Self.key("60x60"): [.body(small)]])
        try write(server, [], hosts: "'127.0.0.1:1', '127.0.0.1:\(server.port)'")
        try scratch.write("http://127.0.0.1:1/a.jpg?param=60x60\n", to: "urls.txt")
        #expect(try run().status == 0)
        #expect(try await asked(server) == [Self.key("60x60")])
    }

    // MARK: Later nights

    @Test(
        "A later night asks whether variants have changed, and a changed ladder for what is new",
        arguments: [true, false]
    )
    func laterNights(keepsOriginals: Bool) async throws {
        let tag = [("ETag", "\"1\"")]
        let server = try await ScriptedServer.start([
            Self.key("60x60"): [.body(small, tag)], Self.key("120x120"): [.body(large, tag)],
        ])
        let more = "originals: { keep: \(keepsOriginals) },"
        let url = "/a.jpg?param=60x60"
        try write(server, [url], variants: "sizes: [60]", more: more)
        #expect(try run().status == 0)
        let cache = scratch.path + "/cache"
        let before = try Snapshot(of: cache)

        let second = try run()
        #expect(second.entries.map(\.outcome) == ["reused"])
        #expect(second.count("unchanged", of: "fetch") == 1)
        #expect(second.count("bytes", of: "fetch") == 0)
        #expect(try Snapshot(of: cache).store == before.store)
        #expect(try Snapshot(of: cache).index == before.index)
        #expect(try await asked(server, after: 1) == ["if changed " + Self.key("60x60")])

        try write(server, [url], variants: "sizes: [60, 120]", more: more)
        let third = try run()
        #expect(third.count("due", of: "plan") == 1)
        #expect(third.run["variantsMade"] == 1)
        #expect(
            try await asked(server, after: 2)
                == [Self.key("120x120"), "if changed " + Self.key("60x60")]
        )

        // What is not wanted any more is served on, so it must not grow old either.
        try write(server, [url], variants: "sizes: [120]", more: more)
        #expect(try run().entries.map(\.reason) == ["not-in-variants"])
        #expect(
            try await asked(server, after: 4)
                == [Self.key("120x120"), Self.key("60x60")].map { "if changed " + $0 }
        )
        #expect(try variants() == ["120x120|webp|120|90|0|0", "60x60|png|60|45|0|0"])

        // Once it is lost nobody needs it: also where the night keeps what the last one has planned.
        try await Task.sleep(for: RunLines.settling)
        _ = try run()
        let file = try index("SELECT file FROM variant WHERE format = 'png'")[0]
        try FileManager.default.removeItem(atPath: "\(cache)/\(file)")
        let lost = try run()
        #expect(lost.count("unchanged", of: "ingest") == 1)
        #expect(lost.count("files lost", of: "plan") == 1)
        let count = try await server.log().requests.count
        for _ in 0..<2 { _ = try run() }
        #expect(
            try await asked(server, after: count)
                == Array(repeating: "if changed " + Self.key("120x120"), count: 2)
        )
    }

    @Test("Each variant changes, fails and goes for itself, and what there was is served")
    func answersOfLaterNights() async throws {
        let server = try await ScriptedServer.start([
            Self.key("30x30"): [.status(200, "<html>not here</html>")],
            Self.key("60x60"): [.body(small), .body(other)],
            Self.key("90x90"): [.body(large), .status(500)],
            Self.key("120x120"): [.body(large), .status(404)],
            Self.key("180x180"): [.body(Array(large.dropLast(80)))],
        ])
        let urls = [30, 60, 90, 120, 180].map { "/a.jpg?param=\($0)x\($0)" }
        try write(server, urls)
        let first = try run()
        #expect(first.status == 1)
        #expect(
            first.entries.map(\.reason) == ["unsupported-type", nil, nil, nil, "truncated"]
        )
        #expect(try index("SELECT stale FROM source") == ["0"])

        let second = try run()
        #expect(
            second.entries.map(\.outcome) == ["failed", "produced"]
                + Array(repeating: "failed", count: 3)
        )
        #expect(
            second.entries.map(\.reason) == [
                "unsupported-type", nil, "http-status", "gone", "truncated",
            ]
        )
        // No picture is an answer that counts for a week.
        #expect(try await server.log().requests.count { $0.target == Self.key("30x30") } == 1)
        #expect(try index("SELECT stale FROM source") == ["1"])
        let results = try answers(urls.map { server.url($0) })
        #expect(results == ["miss", "exact", "exact", "exact", "miss"])
        let file = try index("SELECT file FROM variant WHERE box_width = 60")[0]
        #expect(try scratch.bytes(of: "cache/" + file) == other)

        let plan = try Program.gearbox("plan", scratch.path + "/night.json5", server.url(urls[3]))
        #expect(plan.output.contains("fails       gone: HTTP 404"), "\(plan.output)")
        #expect(plan.output.contains("made: \(Self.key("120x120"))  <- the URL's"))
        #expect(!plan.output.contains("would be asked"), "\(plan.output)")
    }

    // MARK: Probing

    @Test("A probed origin's sizes are known, so that reuse answers")
    func probe() async throws {
        let tag = [("ETag", "\"1\"")]
        let whole = "/a.jpg?imageView=1&quality=89"
        let server = try await ScriptedServer.start([
            "/a.jpg": [.body(original, tag)], Self.key("120x120"): [.body(large, tag)],
            whole: [.body(original, tag)],
        ])
        let urls = ["/a.jpg?param=120x120", "/a.jpg?quality=89"]
        try write(server, urls, origin: "render: 'remote', probe: true")
        let first = try run()
        #expect(first.status == 0, "\(first.entries)")
        #expect(first.count("probed", of: "render") == 1)
        #expect(first.run["variantsMade"] == 2)
        #expect(try index("SELECT width, height, format, alpha FROM source") == ["400|300|jpg|0"])
        #expect(
            try index("SELECT key FROM variant WHERE full_size AND source_id IS NOT NULL")
                == [whole]
        )
        let asked30 = [server.url("/a.jpg?param=30x30"), server.url("/a.jpg?param=315y315")]
        #expect(try answers(asked30) == ["reuse", "reuse"])

        let second = try run()
        #expect(second.count("probed", of: "render") == 0)
        #expect(second.count("unchanged", of: "fetch") == 3)
        #expect(
            try await asked(server, after: 3)
                == ["/a.jpg", whole, Self.key("120x120")].map { "if changed " + $0 }
        )

        try write(server, urls)
        #expect(try run().status == 0)
        #expect(try index("SELECT width, height FROM source") == ["|"])
        #expect(try answers(asked30) == ["miss", "miss"])
        #expect(try await asked(server, after: 6).count == 2)

        try write(server, urls, origin: "render: 'remote', probe: true")
        #expect(try run().count("probed", of: "render") == 1)
        #expect(try answers(asked30) == ["reuse", "reuse"])
    }

    // MARK: Switching

    @Test("A switch of who renders replaces what the other made, which is served until then")
    func switching() async throws {
        let server = try await ScriptedServer.start([
            "/a.jpg": [.body(original)],
            Self.key("60x60"): [.status(500), .body(small)],
            Self.key("120x120"): [.status(500), .body(large)],
        ])
        let urls = ["/a.jpg?param=60x60"]
        let sizes = "sizes: [60, 120]"
        let local = "render: 'local'"
        let shown = [server.url("/a.jpg?param=60x60"), server.url("/a.jpg?param=120x120")]
        let here = ["120x120|jpg|120|90|0|0", "60x60|jpg|60|45|0|0"]
        let there = ["120x120|webp|120|90|0|0", "60x60|png|60|45|0|0"]
        try write(server, urls, origin: local, variants: sizes)
        #expect(try run().status == 0)
        #expect(try variants() == here)

        // One of them is not wanted any more, and must not stay as it is beside the others.
        try write(server, urls, variants: "sizes: [60]")
        let failed = try run()
        #expect(failed.entries.map(\.reason) == ["http-status"])
        #expect(failed.count("due settings changed", of: "plan") == 1)
        #expect(try variants() == here)
        #expect(try answers(shown) == ["exact", "exact"])
        #expect(try index("SELECT width, version FROM source") == ["|"])

        #expect(try run().status == 0)
        #expect(try variants() == there)
        #expect(try await server.requests("/a.jpg").count { $0.target == "/a.jpg" } == 1)

        // Again one of them is not wanted any more.
        try write(server, urls, origin: local, variants: "sizes: [60]")
        let back = try run()
        #expect(back.entries.map(\.outcome) == ["produced"])
        #expect(try variants() == here)
        #expect(try index("SELECT width, height FROM source") == ["400|300"])
        #expect(try run().entries.map(\.outcome) == ["reused"])
    }

    // MARK: Another server

    @Test("nginx with TLS and HTTP/2 is asked for bodies once")
    func nginx() async throws {
        for (box, bytes) in [("60x60", small), ("120x120", large), ("60y60", other)] {
            try scratch.write("", to: "site/\(box)/b/a.jpg")
            _ = try scratch.write(bytes, as: "site/\(box)/b/a.jpg")
        }
        let server = try await NginxServer.start(
            serving: scratch.path + "/site",
            settings: "location / { try_files /$arg_thumbnail$uri =404; }"
        )
        try scratch.write(
            ["60x60", "120x120", "60y60", "30x30"].map { server.url("/b/a.jpg?param=\($0)\n") }
                .joined(),
            to: "urls.txt"
        )
        try scratch.write(
            """
            { manifests: ["urls.txt"], cache: "cache", variants: { modes: "requested" },
              origins: [{ name: "photos", hosts: ["localhost:\(server.port)"], render: "remote" }],
              network: { allowPrivateAddresses: true, caFile: "\(server.certificate.file)" } }
            """,
            to: "night.json5"
        )
        let first = try run()
        #expect(first.entries.map(\.reason) == [nil, nil, nil, "gone"])
        #expect(first.count("fetched", of: "fetch") == 3)
        let second = try run()
        #expect(second.entries.map(\.outcome) == ["reused", "reused", "reused", "failed"])
        #expect(second.count("unchanged", of: "fetch") == 3)
        #expect(second.count("known to fail", of: "fetch") == 1)
        #expect(second.count("fetched", of: "fetch") == 0)
    }
}
