import Foundation
import TestSupport
import Testing

/// Workers that are killed, stopped, outgrown or left alone while they render.
@Suite("Workers", .serialized)
struct WorkerTests {
    private let scratch: Scratch

    /// A picture of which one file is soon there and the next takes a second or two, and after it one
    /// that takes no time.
    init() throws {
        scratch = try Scratch()
        let drawn = try Program.run(
            "/usr/bin/python3",
            [
                "-c",
                """
                import os
                from PIL import Image
                os.makedirs('origin')
                noise = Image.effect_noise((720, 720), 90)
                Image.merge('RGB', (noise, noise.rotate(90), noise.rotate(180))).save('origin/slow.png')
                noise.resize((40, 40)).save('origin/small.png')
                """,
            ],
            in: scratch.path
        )
        try #require(drawn.status == 0, "\(drawn.errors)")
        try scratch.write(
            """
            http://o.example/slow.png?param=720z720&type=jpg
            http://o.example/slow.png?param=720z720&type=avif
            http://o.example/small.png?param=30z30

            """,
            to: "urls.txt"
        )
        try write()
    }

    private func write(limits: String = "") throws {
        try scratch.write(
            """
            { manifests: ["urls.txt"], cache: "cache", workers: 1, limits: { \(limits) },
              origins: [{ name: "o", hosts: ["o.example"], sources: [{ mirror: "origin" }] }],
              variants: { modes: ["z"], sizes: [720, 30], effort: { avif: 4 } } }
            """,
            to: "p.json5"
        )
    }

    private func start() throws -> RunningProgram {
        try RunningProgram("run", scratch.file("p.json5"), "--quiet", "--json", "-", in: scratch)
    }

    /// Nothing unfinished is left.
    private func expectCleanFolder() {
        #expect(scratch.files().filter { $0.hasPrefix("cache/tmp/") }.isEmpty)
    }

    @Test("that are killed in the middle cost nothing", arguments: [SIGKILL, SIGSEGV])
    func killed(signal: Int32) throws {
        let cache = scratch.file("demo")
        let run = try RunningProgram(
            "run",
            Program.root + "/pipelines/demo.json5",
            "--cache",
            cache,
            "--quiet",
            "--json",
            "-",
            "--workers",
            "2",
            in: scratch
        )
        // Both, before either is killed: so no source meets it twice.
        let first = try run.busyWorker()
        let second = try run.busyWorker(besides: [first])
        for worker in [first, second] { kill(worker, signal) }
        let lines = try run.finish()
        #expect(lines.status == 1)
        #expect(lines.run["produced"] == 174)
        #expect(lines.entries.allSatisfy { $0.reason != "crashed" && $0.reason != "killed" })
        #expect(scratch.files().filter { $0.hasPrefix("demo/tmp/") }.isEmpty)
        let judged = try Program.judgedDemo(cache, "--no-pixels", "--orphans")
        #expect(judged.status == 0, "\(judged.output)")
    }

    @Test(
        "that end twice at one source cost that source",
        arguments: [(SIGSEGV, "crashed", "SIGSEGV", 0), (SIGKILL, "killed", "SIGKILL", 2)]
    )
    func twice(signal: Int32, reason: String, name: String, nextTime: Int) throws {
        let run = try start()
        let first = try run.busyWorker()
        kill(first, signal)
        kill(try run.busyWorker(besides: [first]), signal)
        let lines = try run.finish()
        #expect(lines.status == 1)
        #expect(lines.entries.map(\.reason) == [reason, reason, nil])
        #expect(lines.entries[0].message?.contains(name) == true)
        #expect(lines.entries[2].outcome == "produced")
        expectCleanFolder()

        // What crashed is known to fail until something changes; what was killed is tried again.
        let again = try start()
        let next = try again.finish()
        #expect(next.run["produced"] == nextTime)
        #expect(next.entries[0].reason == (nextTime == 0 ? reason : nil))
    }

    @Test("that hang are stopped after the limit of seconds")
    func hanging() throws {
        try write(limits: "seconds: 1")
        let run = try start()
        kill(try run.busyWorker(), SIGSTOP)
        let start = ContinuousClock.now
        let lines = try run.finish()
        #expect(ContinuousClock.now - start < .seconds(8))
        #expect(lines.entries.map(\.reason) == ["timed-out", "timed-out", nil])
        #expect(lines.entries[0].message?.contains("its worker was stopped") == true)
        expectCleanFolder()
    }

    @Test("do not outlive a run that is killed")
    func orphans() throws {
        let run = try start()
        let worker = try run.busyWorker()
        // One that does not even notice that its socket closes.
        kill(worker, SIGSTOP)
        run.process.signal(SIGKILL)
        run.process.waitForEnd()
        for _ in 0..<200 where RunningProgram.isAlive(worker) { usleep(10_000) }
        #expect(!RunningProgram.isAlive(worker))
        #expect(try start().finish().status == 0)
        expectCleanFolder()
    }

    @Test("leave it to the run what a signal means", arguments: [SIGINT, SIGHUP])
    func signals(signal: Int32) throws {
        let run = try start()
        kill(try run.busyWorker(), signal)
        if signal != SIGHUP { run.process.signal(signal) }
        let lines = try run.finish()
        #expect(lines.status == (signal == SIGHUP ? 0 : 130))
        #expect(lines.entries[1].outcome == "produced", "what was begun is finished")
        expectCleanFolder()
    }

    @Test("refuse what needs more memory than the limit, and only that")
    func memory() throws {
        try write(limits: "memory: '96MiB'")
        try scratch.write(
            "http://o.example/large.jpg?param=30z30\nhttp://o.example/small.png?param=30z30\n",
            to: "urls.txt"
        )
        let drawn = try Program.run(
            "/usr/bin/python3",
            [
                "-c",
                "from PIL import Image; Image.new('RGB', (4000, 3000)).save('origin/large.jpg', progressive=True)",
            ],
            in: scratch.path
        )
        try #require(drawn.status == 0, "\(drawn.errors)")
        let lines = try start().finish()
        #expect(lines.entries.map(\.reason) == ["too-much-memory", nil])
        #expect(lines.entries[0].message?.contains("raise limits.memory") == true)
        #expect(lines.entries[1].outcome == "produced")
        try write(limits: "memory: '512MiB'")
        #expect(try start().finish().status == 0)
        expectCleanFolder()
    }

    @Test("are not started where nothing is due, and say what holds them where something is")
    func idle() throws {
        try scratch.write("http://o.example/small.png?param=30z30\n", to: "urls.txt")
        func sandbox() throws -> JSONText {
            let run = try Program.gearbox("run", scratch.file("p.json5"), "--quiet", "--json", "-")
            return try JSONText(run.lines.last ?? "")
        }
        #expect(try sandbox().text("sandbox")?.contains("memory to") == true)
        #expect(try sandbox().isNull("sandbox"))
    }

    @Test("work where few files may be open and little address space is there")
    func narrow() throws {
        try scratch.write("http://o.example/small.png?param=30z30\n", to: "urls.txt")
        for limit in ["-n 48", "-v 4000000"] {
            try? FileManager.default.removeItem(atPath: scratch.file("cache"))
            let run = try Program.run(
                "/bin/bash",
                ["-c", "ulimit \(limit); exec \(Program.gearbox) run p.json5 --quiet"],
                in: scratch.path
            )
            #expect(run.status == 0, "\(limit): \(run.errors)")
        }
    }

    @Test("that end while they start are started again", arguments: [SIGKILL, SIGSEGV])
    func starting(signal: Int32) throws {
        let run = try start()
        run.process.wait { !run.workers.isEmpty }
        for worker in run.workers { kill(worker, signal) }
        let lines = try run.finish()
        #expect(lines.status == 0)
        #expect(lines.run["produced"] == 3)
        expectCleanFolder()
    }

    @Test("are of the program that runs, also where its file is gone")
    func removed() throws {
        let program = scratch.file("gearbox")
        try FileManager.default.copyItem(atPath: Program.gearbox, toPath: program)
        let run = try RunningProgram(
            "run",
            scratch.file("p.json5"),
            "--quiet",
            "--json",
            "-",
            program: program,
            in: scratch
        )
        let worker = try run.busyWorker()
        try FileManager.default.removeItem(atPath: program)
        kill(worker, SIGKILL)
        let lines = try run.finish()
        #expect(lines.status == 0)
        #expect(lines.count("workers replaced", of: "render") == 1)
    }

    @Test("do not blame a picture for memory that the system refuses")
    func shortage() throws {
        try scratch.write("http://o.example/large.jpg?param=30z30\n", to: "urls.txt")
        let drawn = try Program.run(
            "/usr/bin/python3",
            [
                "-c",
                "from PIL import Image; Image.new('RGB', (9000, 9000)).save('origin/large.jpg', progressive=True, subsampling=0)",
            ],
            in: scratch.path
        )
        try #require(drawn.status == 0, "\(drawn.errors)")
        let run = try Program.run(
            "/bin/bash",
            ["-c", "ulimit -v 600000; exec \(Program.gearbox) run p.json5 --quiet --json -"],
            in: scratch.path
        )
        #expect(try RunLines(run).entries.map(\.reason) == ["out-of-memory"])
        #expect(try start().finish().run["produced"] == 1)
    }

    @Test("are started by a run alone")
    func byHand() throws {
        let run = try Program.gearbox("render-worker")
        #expect(run.status == 2)
        #expect(run.errors.contains("not a person"))
        #expect(!(try Program.gearbox("--help")).output.contains("render-worker"))
    }
}
