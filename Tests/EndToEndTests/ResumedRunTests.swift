import Foundation
import LoopbackServers
import TestSupport
import Testing

/// What a run that was stopped leaves, and what the next one asks, through the built program.
@Suite("A run that goes on where the last one ended", .serialized)
struct ResumedRunTests {
    private let scratch: Scratch
    private let picture: [UInt8]

    init() throws {
        scratch = try Scratch()
        let path = Program.root + "/fixtures/origin/avatars/tiny-24.jpg"
        picture = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// A server without validators, and the paths of its pictures.
    private func server(
        _ count: Int,
        delay: Double = 0
    ) async throws -> (server: ScriptedServer, paths: [String]) {
        let paths = (10..<(10 + count)).map { "/\($0).jpg" }
        let steps = paths.map { path in
            (path, [Step.body(picture + Array(path.utf8)).with { $0.delay = delay }])
        }
        let server = try await ScriptedServer.start(Dictionary(uniqueKeysWithValues: steps))
        return (server, paths)
    }

    private func write(
        _ urls: [String],
        _ network: String = "",
        _ more: String = "",
        asking directives: String = "?param=20y20"
    ) throws {
        try scratch.write(urls.map { $0 + directives + "\n" }.joined(), to: "urls.txt")
        try scratch.write(
            """
            { manifests: ["urls.txt"], cache: "cache", variants: { modes: "requested" }, workers: 1,
              \(more) network: { allowPrivateAddresses: true, \(network) } }
            """,
            to: "night.json5"
        )
    }

    private func asked(_ server: ScriptedServer) async throws -> [String] {
        try await server.log().requests.map { String($0.target.split(separator: "?")[0]) }
    }

    private func start() throws -> RunningProgram {
        try RunningProgram(
            "run",
            scratch.path + "/night.json5",
            "--quiet",
            "--json",
            "-",
            in: scratch
        )
    }

    @Test("Nights with a deadline reach every source, and ask each once until all were asked")
    func deadlines() async throws {
        let (server, paths) = try await server(8, delay: 0.4)
        let urls = paths.map { server.url($0) }
        try write(urls, "connectionsPerHost: 1", "deadline: '1s',")
        var runs = 0
        var status: Int32 = 1
        while status != 0, runs < 8 {
            let run = try RunLines.night(in: scratch)
            #expect(run.run["produced"] ?? 0 > 0)
            status = run.status
            runs += 1
        }
        #expect(status == 0 && runs > 1)
        #expect(try await asked(server).sorted() == paths)

        try write(urls)
        #expect(try RunLines.night(in: scratch).run["reused"] == 8)
        #expect(try await asked(server).count == 16)
    }

    @Test("Nothing begins after a signal, what is in flight is finished, and the rest comes next")
    func interruption() async throws {
        // Long enough that a busy machine sends the signal before the end.
        let (server, paths) = try await server(40, delay: 6)
        let urls = paths.map { server.url($0) }
        try write(urls, "connectionsPerHost: 2")
        let running = try start()
        while try await server.log().requests.count < 2 {
            try await Task.sleep(for: .milliseconds(20))
        }
        running.process.signal(SIGTERM)
        let begun = try await asked(server).count
        let stopped = try running.finish()
        #expect(stopped.status == 130)
        let first = try await asked(server)
        // Two may have begun between the signal and the look.
        #expect(first.count <= begun + 2)
        #expect(stopped.run["produced"] == first.count)
        #expect(stopped.entries.count { $0.reason == "not-reached" } == 40 - first.count)

        try write(urls, "connectionsPerHost: 40")
        let rest = try RunLines.night(in: scratch)
        #expect(rest.status == 0)
        #expect(rest.run["reused"] == first.count)
        #expect(rest.count("asked before", of: "fetch") == first.count)
        #expect(try await asked(server).sorted() == paths)
    }

    @Test(
        "A wait before a retry ends with the run, as a failure that the next run asks about again"
    )
    func retry() async throws {
        // Where this task waits for its turn until the wait is over, there is nothing to be seen.
        var isSeen = false
        for _ in 0..<3 where !isSeen { isSeen = try await isStoppedInWait() }
        #expect(isSeen)
    }

    /// - Returns: whether a run was stopped while it waited.
    private func isStoppedInWait() async throws -> Bool {
        try? FileManager.default.removeItem(atPath: scratch.file("cache"))
        let server = try await ScriptedServer.start([
            "/a.jpg": [.status(429, "busy", [("Retry-After", "50")]), .body(picture)]
        ])
        try write([server.url("/a.jpg")])
        let running = try start()
        while try await server.log().requests.isEmpty {
            try await Task.sleep(for: .milliseconds(20))
        }
        try await Task.sleep(for: .milliseconds(300))
        running.process.signal(SIGTERM)
        let stopped = try running.finish()
        if stopped.status == 0 { return false }
        #expect(stopped.status == 130)
        #expect(stopped.entries.map(\.reason) == ["http-status"])
        #expect(stopped.entries[0].message?.hasSuffix("no time for another try") == true)
        #expect(try await asked(server).count == 1)
        #expect(try RunLines.night(in: scratch).run["produced"] == 1)
        #expect(try await asked(server) == ["/a.jpg", "/a.jpg"])
        return true
    }

    @Test(
        "What no run has reached comes before what was asked before, that asked longest ago first"
    )
    func order() async throws {
        let (server, paths) = try await server(12)
        func run(_ parts: ArraySlice<String>) async throws -> [String] {
            let before = try await asked(server).count
            // Three are taken up at a time, and any of them may be the first to be asked for.
            try write(parts.map { server.url($0) }, "connections: 1, connectionsPerHost: 1")
            #expect(try RunLines.night(in: scratch).status == 0)
            return Array(try await asked(server).dropFirst(before))
        }
        #expect(try await run(paths[4...7]).count == 4)
        #expect(try await run(paths[0...3]).count == 4)
        let all = try await run(paths[0...])
        #expect(all.sorted() == paths)
        #expect(paths[8...].contains(all[0]))
        #expect(paths[..<4].contains(all[11]))
    }

    @Test("What a run has only fetched is rendered by the next one without another request")
    func fetchedOnly() async throws {
        let (server, paths) = try await server(3)
        try write(paths.map { server.url($0) })
        let fetched = try RunLines.night(in: scratch, ["--until", "fetch"])
        #expect(fetched.status == 0)
        let message = "not made yet: the run was asked to stop after fetch"
        #expect(fetched.entries.map(\.message) == Array(repeating: message, count: 3))
        #expect(try RunLines.night(in: scratch).run["produced"] == 3)
        #expect(try await asked(server).sorted() == paths)
        #expect(try RunLines.night(in: scratch).run["reused"] == 3)
        #expect(try await asked(server).count == 6)
    }

    @Test("A rendering that there was no time for is made first, from the answer that there is")
    func owed() async throws {
        let count = 5
        let cover = URL(fileURLWithPath: Program.root + "/fixtures/origin/covers/2024/album-01.jpg")
        for index in 0..<count {
            // What lies behind the end of a picture makes it another file.
            let bytes = [UInt8](try Data(contentsOf: cover)) + [UInt8(index)]
            try scratch.write("", to: "origin/\(index).jpg")
            _ = try scratch.write(bytes, as: "origin/\(index).jpg")
        }
        let nginx = try Nginx(serving: scratch.path + "/origin")
        let urls = (0..<count).map { "http://\(nginx.host)/\($0).jpg" }
        try write(urls)
        #expect(try RunLines.night(in: scratch).status == 0)
        // All of it is due at a size that takes long, and no answer has a body.
        try write(urls, "", "", asking: "?param=1600y1600&type=webp&quality=95")
        let running = try start()
        try running.process.wait { try nginx.requests().count >= 2 * count }
        running.process.signal(SIGTERM)
        let stopped = try running.finish()
        #expect(stopped.count("unchanged", of: "fetch") == count)
        #expect(stopped.count("left", of: "render") > 0)
        let said = try Program.gearbox("run", scratch.file("night.json5"), "--dry-run")
        #expect(said.output.contains("\(count) asked before"), "\(said.output)\(said.errors)")
        let rest = try RunLines.night(in: scratch)
        #expect(rest.count("asked before", of: "fetch") == count)
        #expect(rest.run["reused"] == stopped.run["produced"])
        #expect((rest.run["produced"] ?? 0) + (rest.run["reused"] ?? 0) == count)
        #expect(try nginx.requests().count == 2 * count)
    }

    @Test(
        "A host that hangs holds up the end of a run for half a minute",
        .enabled(if: ProcessInfo.processInfo.environment["GEARBOX_SOAK"] == "1")
    )
    func hanging() async throws {
        let (server, paths) = try await server(3, delay: 300)
        try write(paths.map { server.url($0) }, "minimumBytesPerSecond: null", "deadline: '1s',")
        let start = ContinuousClock.now
        let run = try RunLines.night(in: scratch)
        #expect(ContinuousClock.now - start < .seconds(40))
        #expect(run.status == 1)
        #expect(run.entries.map(\.reason).sorted { $0 ?? "" < $1 ?? "" }.last == "not-reached")
    }
}
