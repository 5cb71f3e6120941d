import Foundation
import PictureSupport
import TestSupport
import Testing

/// Nights that are killed, and what is left: a whole index at every moment, and after the next run
/// the same as if nothing had happened.
@Suite("A night that is killed", .serialized)
struct KilledNightTests {
    private static let isFull = ProcessInfo.processInfo.environment["GEARBOX_SOAK"] == "1"
    /// The names that a debug build knows.
    private static let points =
        (try? String(
            contentsOfFile: Program.root + "/Sources/System/WritePoint.swift",
            encoding: .utf8
        ))?.matches(of: /case \w+ = "([a-z-]+)"/).map { String($0.1) } ?? []
    private let night: PreparedNight

    init() throws { night = try PreparedNight() }

    /// Goes on, and compares.
    private func checkNext(_ folder: Scratch, _ what: String) throws {
        try goOn(folder, what)
        #expect(try folder.dump() == night.expected, "\(what)")
    }

    /// Goes on, and compares the index's rows: the files of generations before it may be others.
    private func checkRowsOfNext(_ folder: Scratch, _ what: String) throws {
        try goOn(folder, what)
        #expect(try folder.dump("rows") == night.expectedRows, "\(what)")
    }

    private func goOn(_ folder: Scratch, _ what: String) throws {
        let next = try Program.gearbox("run", folder.file("p.json5"), "--quiet")
        #expect(next.status == 1, "\(what): \(next.errors)")
    }

    #if DEBUG
        @Test("at any write point leaves the next run all it needs", arguments: points)
        func writePoint(point: String) throws {
            var generator = SeededGenerator(seed: 1)
            let times = Self.isFull ? Array(1...40) : [1, Int.random(in: 2...8, using: &generator)]
            for time in times {
                let folder = try night.begin()
                let watch = try IndexWatch(folder)
                let killed = try Program.gearbox(
                    "run",
                    folder.file("p.json5"),
                    "--quiet",
                    environment: ["GEARBOX_KILL_AT": "\(point):\(time)"]
                )
                let wasKilled = killed.status == -SIGKILL
                #expect(wasKilled || time > 1, "\(point) is never reached: \(killed.errors)")
                #expect(wasKilled || killed.status == 1, "\(killed.errors)")
                try checkNext(folder, "\(point):\(time)")
                #expect(try watch.end() == "", "\(point):\(time)")
                if !wasKilled { break }
            }
        }
    #endif

    @Test("at a random moment leaves the next run all it needs")
    func randomMoment() throws {
        let seed = UInt64.random(in: 0...999_999)
        var generator = SeededGenerator(seed: seed)
        for round in 0..<(Self.isFull ? 200 : 6) {
            let folder = try night.begin()
            let watch = try IndexWatch(folder)
            let run = try RunningProgram("run", folder.file("p.json5"), "--quiet", in: folder)
            let delay = Double.random(in: 0...night.seconds, using: &generator)
            usleep(UInt32(delay * 1_000_000))
            run.process.signal(SIGKILL)
            run.process.waitForEnd()
            try checkNext(folder, "seed \(seed), round \(round), after \(delay) s")
            #expect(try watch.end() == "", "seed \(seed), round \(round), after \(delay) s")
        }
    }

    @Test("whose workers stand still at a random moment leaves the next run all it needs")
    func stoppedWorker() throws {
        let seed = UInt64.random(in: 0...999_999)
        var generator = SeededGenerator(seed: seed)
        for round in 0..<(Self.isFull ? 40 : 2) {
            let what = "seed \(seed), round \(round)"
            let folder = try night.begin()
            let pipeline = try folder.read("p.json5")
            try folder.write(
                pipeline.replacing("workers: 1,", with: "workers: 1, limits: { seconds: 1 },"),
                to: "p.json5"
            )
            let watch = try IndexWatch(folder)
            let run = try RunningProgram("run", folder.file("p.json5"), "--quiet", in: folder)
            run.process.wait { !run.workers.isEmpty }
            usleep(UInt32.random(in: 0...200_000, using: &generator))
            for worker in run.workers { Foundation.kill(worker, SIGSTOP) }
            #expect(try run.finish().status == 1, "\(what)")
            try folder.write(pipeline, to: "p.json5")
            // Both have published: what the night before had is let go of sooner.
            try checkRowsOfNext(folder, what)
            #expect(try watch.end() == "", "\(what)")
        }
    }

    @Test(
        "A state that is cut, emptied or overwritten is set aside, and what is published stays served"
    )
    func damagedState() throws {
        let seed = UInt64.random(in: 0...999_999)
        var generator = SeededGenerator(seed: seed)
        let whole = try night.begin().bytes(of: "cache/state.sqlite")
        let junk = Array("not a database, but long enough for a header".utf8)
        var damaged = [[], junk]
        for _ in 0..<(Self.isFull ? 60 : 3) {
            damaged.append(Array(whole.prefix(Int.random(in: 1..<whole.count, using: &generator))))
        }
        for bytes in damaged {
            let folder = try night.begin()
            let watch = try IndexWatch(folder)
            _ = try folder.write(bytes, as: "cache/state.sqlite")
            let run = try Program.gearbox("run", folder.file("p.json5"), "--quiet")
            // A page that is missing may be one that nothing is read from.
            #expect(run.status == 4 || run.status == 1 && bytes != junk, "\(run.errors)")
            if run.status == 4 {
                #expect(run.errors.contains("damaged"), "\(run.errors)")
                #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
                let next = try Program.gearbox("run", folder.file("p.json5"), "--quiet")
                #expect(next.status == 1, "\(next.errors)")
            }
            #expect(try folder.dump("rows") == night.expectedRows, "seed \(seed), \(bytes.count)")
            #expect(try watch.end() == "", "seed \(seed), \(bytes.count) bytes")
        }
    }

    @Test("An index of a newer version is left alone, also where the state is lost")
    func newerIndex() throws {
        let folder = try night.begin()
        let index = folder.file("cache/index.sqlite")
        _ = try Program.run("/usr/bin/sqlite3", [index, "PRAGMA user_version = 2"])
        let before = try folder.bytes(of: "cache/index.sqlite")
        for _ in 0..<2 {
            let run = try Program.gearbox("run", folder.file("p.json5"), "--quiet")
            #expect(run.status == 4)
            #expect(run.errors.contains("version 2"), "\(run.errors)")
            #expect(try folder.bytes(of: "cache/index.sqlite") == before)
            try FileManager.default.removeItem(atPath: folder.file("cache/state.sqlite"))
        }
    }

    @Test("A state of a newer version is left alone")
    func newerState() throws {
        let folder = try night.begin()
        let state = folder.file("cache/state.sqlite")
        _ = try Program.run("/usr/bin/sqlite3", [state, "PRAGMA user_version = 1000"])
        let before = try folder.bytes(of: "cache/state.sqlite")
        let run = try Program.gearbox("run", folder.file("p.json5"), "--quiet")
        #expect(run.status == 4)
        #expect(run.errors.contains("version 1000"), "\(run.errors)")
        #expect(try folder.bytes(of: "cache/state.sqlite") == before)
    }

    @Test("An index that is damaged, cut or gone is published again")
    func damagedIndex() throws {
        let whole = try night.begin().bytes(of: "cache/index.sqlite")
        for bytes in [[], Array("junk".utf8), Array(whole.prefix(whole.count / 2)), nil] {
            let folder = try night.begin()
            if let bytes {
                _ = try folder.write(bytes, as: "cache/index.sqlite")
            } else {
                try FileManager.default.removeItem(atPath: folder.file("cache/index.sqlite"))
            }
            // There is no generation before it then.
            try checkRowsOfNext(folder, "\(bytes?.count ?? -1) bytes")
        }
    }

    @Test(
        "A disk that may not be written stops a night before it begins",
        .enabled(if: PreparedNight.mayMount, "needs the right to mount a file system")
    )
    func readOnlyDisk() throws {
        let folder = try night.begin()
        let script = """
            mount --bind "$1" "$1" && mount -o remount,ro,bind "$1"
            "$0" run "$1/p.json5" --quiet; echo $?
            """
        let run = try Program.run(
            "/usr/bin/unshare",
            ["-m", "/bin/bash", "-c", script, Program.gearbox, folder.path]
        )
        #expect(run.output == "4\n", "\(run.errors)")
        #expect(run.errors.contains("read-only"), "\(run.errors)")
        try checkNext(folder, "a disk that was read-only")
    }

    @Test("A limit on the size of files stops a night cleanly, and the next goes on")
    func fileSizeLimit() throws {
        for kilobytes in Self.isFull ? Array(1...120) : [1, 30, 70, 90] {
            let folder = try night.begin()
            let watch = try IndexWatch(folder)
            let run = try Program.run(
                "/bin/bash",
                [
                    "-c", "ulimit -f \(kilobytes); exec \"$0\" run \"$1\" --quiet", Program.gearbox,
                    folder.file("p.json5"),
                ]
            )
            #expect([1, 4].contains(run.status), "\(kilobytes): \(run.status) \(run.errors)")
            try checkNext(folder, "\(kilobytes) KB")
            #expect(try watch.end() == "", "\(kilobytes) KB")
        }
    }

    @Test(
        "A full disk stops a night cleanly, and the next goes on where there is room",
        .enabled(if: PreparedNight.mayMount, "needs the right to mount a file system"),
        arguments: isFull ? Array(stride(from: 10, to: 600, by: 7)) : [10, 150, 350]
    )
    func fullDisk(kilobytes: Int) throws {
        let folder = try night.begin()
        let script = """
            disk=$1/disk; mkdir "$disk"
            size=$(($(du -sk "$1" | cut -f 1) + $2))
            mount -t tmpfs -o size=${size}k tmpfs "$disk"
            cp -a "$1/p.json5" "$1/urls.txt" "$1/origin" "$1/cache" "$disk"
            "$0" run "$disk/p.json5" --quiet; echo $?
            mount -o remount,size=100m "$disk"
            "$0" run "$disk/p.json5" --quiet; echo $?
            python3 "$3" dump "$disk/cache"
            """
        let run = try Program.run(
            "/usr/bin/unshare",
            [
                "-m", "/bin/bash", "-c", script, Program.gearbox, folder.path, "\(kilobytes)",
                Program.root + "/Tests/EndToEndTests/night.py",
            ]
        )
        let lines = run.output.split(separator: "\n", maxSplits: 2).map(String.init)
        try #require(lines.count == 3, "\(run.output) \(run.errors)")
        #expect(["1", "4"].contains(lines[0]), "\(run.errors)")
        #expect(lines[0] == "1" || run.errors.contains("run again") || run.errors.contains("disk"))
        #expect(lines[1] == "1", "\(run.errors)")
        #expect(lines[2] == night.expected, "\(kilobytes) KB: \(run.errors)")
    }

    @Test("Of two that start at once exactly one runs, and the other says who does")
    func twice() throws {
        for _ in 0..<(Self.isFull ? 50 : 5) {
            let folder = try night.begin()
            // The manifest comes when one of them has ended, so that the other is still at work.
            let pipe = folder.file("pipe")
            _ = try Program.run("/usr/bin/mkfifo", [pipe])
            let manifest = try #require(FileHandle(forUpdatingAtPath: pipe))
            let runs = try (0..<2).map { index in
                try StartedProgram(
                    Program.gearbox,
                    ["run", folder.file("p.json5"), "--manifest", pipe, "--quiet"],
                    errors: .file(folder.file("errors-\(index)"))
                )
            }
            runs[0].wait { !runs[1].isRunning }
            let refused = try #require(runs.firstIndex { !$0.isRunning })
            #expect(runs[refused].status == 4)
            let said = try folder.read("errors-\(refused)")
            #expect(said.contains("in use by process"), "\(said)")
            try manifest.write(contentsOf: Data(folder.bytes(of: "urls.txt")))
            // What nobody has opened yet forgets what was written when the last writer leaves.
            let other = runs[1 - refused]
            other.wait { Self.isOpen(pipe, in: other) }
            try manifest.close()
            #expect(other.waitForEnd() == 1)
            #expect(try folder.dump() == night.expected)
        }
    }

    private static func isOpen(_ path: String, in program: StartedProgram) -> Bool {
        let folder = "/proc/\(program.identifier)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == path
        }
    }
}
