import Foundation
import LoopbackServers
import TestSupport
import Testing

/// What a run keeps to while it fetches, through the built program.
@Suite("Fetching by a run")
struct FetchingByRunTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test("128 open files are enough, and what has not changed costs a question each, no body")
    func openFiles() throws {
        let count = 300
        for index in 0..<count {
            let bytes = Data("GIF89a \(index)".utf8) + Data(count: 2000) + Data([0x3B])
            try FileManager.default.createDirectory(
                atPath: scratch.path + "/origin",
                withIntermediateDirectories: true
            )
            try bytes.write(to: URL(fileURLWithPath: scratch.path + "/origin/\(index).gif"))
        }
        let nginx = try Nginx(serving: scratch.path + "/origin")
        let urls = (0..<count).map { "http://\(nginx.host)/\($0).gif\n" }.joined()
        try scratch.write(urls, to: "urls.txt")
        try scratch.write(
            """
            { manifests: ["urls.txt"], cache: "cache",
              network: { allowPrivateAddresses: true, connections: 200, connectionsPerHost: 200 } }
            """,
            to: "night.json5"
        )
        for status in ["200", "304"] {
            let before = try nginx.requests().count
            let run = try Program.run(
                "/bin/bash",
                [
                    "-c", "ulimit -n 128; exec \"$0\" run \"$1\" --until fetch --quiet",
                    Program.gearbox, scratch.path + "/night.json5",
                ]
            )
            #expect(run.status == 0, "\(run.errors)")
            let asked = try nginx.requests().dropFirst(before)
            #expect(asked.count == count)
            #expect(asked.allSatisfy { $0.hasPrefix(status) })
        }
    }

    @Test("A token of the environment goes to the origin and into no output")
    func token() async throws {
        let token = "s3cret-7654321"
        let server = try await ScriptedServer.start([
            "/a.gif": [.status(403, "<p>Bearer \(token) is not enough</p>")]
        ])
        try scratch.write(server.url("/a.gif"), to: "urls.txt")
        try scratch.write(
            """
            { manifests: ["urls.txt"], cache: "cache",
              origins: [{ name: "photos", hosts: ["127.0.0.1:\(server.port)"],
                          headers: { authorization: "Bearer ${env:GEARBOX_TEST_TOKEN}" } }],
              network: { allowPrivateAddresses: true } }
            """,
            to: "night.json5"
        )
        let pipeline = scratch.path + "/night.json5"
        let unset = try Program.gearbox("check", pipeline)
        #expect(unset.status == 3)
        #expect(unset.errors.contains("no variable GEARBOX_TEST_TOKEN"))

        let environment = ["GEARBOX_TEST_TOKEN": token]
        let checked = try Program.gearbox("check", pipeline, environment: environment)
        #expect(checked.status == 0, "\(checked.errors)")
        let run = try Program.gearbox("run", pipeline, "--json", "-", environment: environment)
        #expect(run.status == 1)
        #expect(run.output.contains("HTTP 403"))
        for said in [checked.output, checked.errors, run.output, run.errors] {
            #expect(!said.contains("s3cret"))
        }
        #expect(
            try await server.requests("/a.gif")[0].headers["authorization"] == "Bearer \(token)"
        )
    }

    @Test(
        "A dead host of an origin holds nothing up, and passwords of URLs and proxies stay unsaid"
    )
    func deadHost() async throws {
        let picture = URL(fileURLWithPath: Program.root + "/fixtures/origin/avatars/tiny-24.jpg")
        let good = Step.body([UInt8](try Data(contentsOf: picture)))
        let names = (0..<60).map { "/\($0).jpg" }
        let server = try await ScriptedServer.start(
            Dictionary(uniqueKeysWithValues: names.map { ($0, [good]) })
        )
        let dead = names.map { "http://127.0.0.1:1\($0)\n" }.joined()
        try scratch.write(dead + "http://ann:s3cret@h.example/a.jpg\n", to: "urls.txt")
        try scratch.write(
            """
            { manifests: ["urls.txt"], cache: "cache",
              origins: [{ name: "photos", hosts: ["127.0.0.1:1", "127.0.0.1:\(server.port)"] }],
              network: { allowPrivateAddresses: true } }
            """,
            to: "night.json5"
        )
        let start = ContinuousClock.now
        let run = try Program.gearbox("run", scratch.path + "/night.json5", "--json", "-")
        // The pauses of a host that is waited for come to more than a minute.
        #expect(ContinuousClock.now - start < .seconds(50))
        let lines = try RunLines(run)
        #expect(lines.run["produced"] == 60 && lines.run["failed"] == 1)
        #expect(lines.entries.last?.url == "http://...@h.example/a.jpg")
        #expect(!run.output.contains("s3cret") && !run.errors.contains("s3cret"))
    }

    @Test("A file of certificates that is none ends check and run with 3, by its name")
    func certificates() throws {
        try scratch.write("nothing", to: "ca.pem")
        try scratch.write("", to: "urls.txt")
        try scratch.write(
            """
            { manifests: ["urls.txt"], cache: "cache",
              network: { caFile: "ca.pem", proxy: "http://ann:s3cret@proxy:3128" } }
            """,
            to: "night.json5"
        )
        for command in ["check", "run"] {
            let refused = try Program.gearbox(command, scratch.path + "/night.json5")
            #expect(refused.status == 3)
            #expect(refused.errors.contains("\(scratch.path)/ca.pem holds no certificate"))
        }
        try scratch.write("-----BEGIN CERTIFICATE-----", to: "ca.pem")
        let checked = try Program.gearbox("check", scratch.path + "/night.json5")
        #expect(checked.status == 0, "\(checked.errors)")
        #expect(checked.output.contains("http://...@proxy:3128"))
        #expect(!checked.output.contains("s3cret"))
    }

    @Test("An outage retires nothing, and a picture that is gone is marked and served on")
    func outage() async throws {
        let picture = URL(fileURLWithPath: Program.root + "/fixtures/origin/avatars/tiny-24.jpg")
        let good = Step.body([UInt8](try Data(contentsOf: picture)))
        // Each source asks once for itself in a run, and two more times where it may pass.
        let server = try await ScriptedServer.start([
            "/a.jpg": [good, .status(500)], "/b.jpg": [good, .status(404)],
        ])
        try scratch.write(server.url("/a.jpg\n") + server.url("/b.jpg\n"), to: "urls.txt")
        try scratch.write(
            """
            { manifests: ["urls.txt"], cache: "cache", network: { allowPrivateAddresses: true } }
            """,
            to: "night.json5"
        )
        for (status, reasons) in [(0, [nil, nil]), (1, ["http-status", "gone"])] {
            let run = try RunLines(
                Program.gearbox("run", scratch.path + "/night.json5", "--quiet", "--json", "-")
            )
            #expect(run.status == status, "\(run.errors)")
            #expect(run.entries.map(\.reason) == reasons)
        }
        let index = try Program.run(
            "/usr/bin/sqlite3",
            [
                scratch.path + "/cache/index.sqlite",
                """
                SELECT path, stale, (SELECT count(*) > 0 FROM variant WHERE source_id = source.id)
                FROM source ORDER BY path
                """,
            ]
        )
        #expect(index.lines == ["/a.jpg|0|1", "/b.jpg|1|1"])
    }

    @Test("A data: URL is counted and left out, however long it is")
    func dataURL() throws {
        let long = String(repeating: "A", count: 3_000_000)
        try scratch.write("data:image/png;base64,\(long)\n DATA:,x\ndatal:,x\n", to: "urls.txt")
        try scratch.write("{ manifests: ['urls.txt'], cache: 'cache' }", to: "night.json5")
        let lines = try RunLines(
            Program.gearbox("run", scratch.path + "/night.json5", "--json", "-")
        )
        #expect(lines.status == 1)
        #expect(lines.entries.map(\.reason) == ["data-url", "data-url", "unsupported-scheme"])
        #expect(lines.entries.map(\.outcome) == ["skipped", "skipped", "failed"])
        #expect(lines.entries.map(\.line) == [1, 2, 3])
        #expect(lines.entries[0].url == "data:image/png;base64,\(long.prefix(58))...")
        #expect(lines.entries[1].url == "DATA:,x")
        #expect(lines.count("data URLs", of: "ingest") == 2)
        #expect(lines.errors.utf8.count < 2000)
        // No rule of a later canonicalisation makes something of it.
        let again = try RunLines.night(in: scratch, ["--only", "canonicalize"])
        #expect(again.entries.map(\.reason).first == "data-url")
        try scratch.write("data:,x\n", to: "urls.txt")
        #expect(try RunLines.night(in: scratch).status == 0)
    }
}
