import Foundation
import LoopbackServers
import TestSupport
import Testing

/// Stopping a run by a signal, and going on.
@Suite("An interrupted run", .serialized)
struct InterruptionTests {
    private let scratch: Scratch
    private let cache: String

    init() throws {
        scratch = try Scratch()
        cache = scratch.path + "/cache"
    }

    /// Starts the demo and stops it when its first files are there.
    ///
    /// - Returns: its status, or the signal below 0.
    private func interrupt(with signal: Int32) throws -> Int32 {
        let run = try StartedProgram(
            Program.gearbox,
            [
                "run", Program.root + "/pipelines/demo.json5", "--cache", cache, "--quiet",
                "--workers", "1",
            ]
        )
        run.wait { scratch.files().filter { $0.hasPrefix("cache/store/") }.count >= 20 }
        run.signal(signal)
        return run.waitForEnd()
    }

    private func finishAndCheck() throws {
        let rest = try RunLines(
            Program.gearbox(
                "run",
                "pipelines/demo.json5",
                "--cache",
                cache,
                "--quiet",
                "--json",
                "-"
            )
        )
        // The data: URL of the demo.
        #expect(rest.run["skipped"] == 1)
        #expect((rest.run["produced"] ?? 0) + (rest.run["reused"] ?? 0) == 174)
        let judged = try Program.judgedDemo(cache, "--no-pixels", "--orphans")
        #expect(judged.status == 0, "\(judged.output)")
    }

    @Test(
        "ends with 130, publishes nothing, and the next run goes on",
        arguments: [SIGINT, SIGTERM, SIGHUP]
    )
    func signal(signal: Int32) throws {
        #expect(try interrupt(with: signal) == 130)
        #expect(!scratch.files().contains("cache/index.sqlite"))
        let rest = try RunLines(
            Program.gearbox(
                "run",
                "pipelines/demo.json5",
                "--cache",
                cache,
                "--quiet",
                "--json",
                "-"
            )
        )
        #expect((rest.run["reused"] ?? 0) > 0, "what was finished is not made again")
        try finishAndCheck()
    }

    @Test("loses nothing and doubles nothing when it is killed")
    func killed() throws {
        #expect(try interrupt(with: SIGKILL) == -SIGKILL)
        try finishAndCheck()
    }

    @Test("does not wait for a manifest that does not come")
    func silentManifest() throws {
        let pipe = scratch.file("pipe")
        _ = try Program.run("/usr/bin/mkfifo", [pipe])
        let run = try StartedProgram(
            Program.gearbox,
            [
                "run", Program.root + "/pipelines/demo.json5", "--cache", cache, "--quiet",
                "--manifest", pipe,
            ],
            errors: .null
        )
        run.wait { scratch.files().contains("cache/state.sqlite") }
        run.signal(SIGTERM)
        #expect(run.waitForEnd() == 130)
    }

    @Test("ends at its deadline with 1, publishes what there is, and the next run goes on")
    func deadline() async throws {
        let picture = try [UInt8](
            Data(
                contentsOf: URL(
                    fileURLWithPath: Program.root + "/fixtures/origin/covers/2024/album-01.jpg"
                )
            )
        )
        // Answers come only after the deadline, however fast the machine is; one may be in flight.
        let late = Step.body(picture).with { $0.delay = 2 }
        let server = try await ScriptedServer.start(["/a.jpg": [late], "/b.jpg": [late]])
        try scratch.write(
            ["/a.jpg", "/b.jpg"].map { server.url($0) + "?param=60y60\n" }.joined(),
            to: "urls.txt"
        )
        func run(_ deadline: String) throws -> RunLines {
            try scratch.write(
                """
                { manifests: ["urls.txt"], cache: "cache", deadline: \(deadline),
                  network: { allowPrivateAddresses: true, connectionsPerHost: 1 } }
                """,
                to: "p.json5"
            )
            return try RunLines(
                Program.gearbox("run", scratch.file("p.json5"), "--quiet", "--json", "-")
            )
        }
        let first = try run("'1s'")
        #expect(first.status == 1)
        #expect(first.run["failed"] == 0)
        #expect(first.entries.contains { $0.reason == "not-reached" })
        #expect(scratch.files().contains("cache/index.sqlite"))
        let second = try run("null")
        #expect(second.status == 0)
        #expect(second.run["reused"] == first.run["produced"])
        #expect((second.run["produced"] ?? 0) + (second.run["reused"] ?? 0) == 2)
    }
}
