import Foundation
import PictureSupport
import TestSupport
import Testing

/// The commands that look after a cache directory, killed, and asked for once more.
@Suite("What looks after a cache directory and is killed", .serialized)
struct KilledUpkeepTests {
    private struct Killed {
        var command: [String]
        /// The sources that are published when it has come to its end.
        var published: String?
    }

    private static let points = [
        "rows-written", "rows-committed", "draft-written", "draft-named", "index-written",
        "file-named", "index-named", "file-removed",
    ]
    private let scene: UpkeepScene
    private let whole: String
    private var commands: [Killed] {
        [
            Killed(command: ["evict", "--max-bytes", "9000"]),
            Killed(command: ["evict", "--max-bytes", "9000", "--force"]),
            Killed(command: ["remove", "http://h/a.jpg", "http://h/e.jpg"], published: "bcdf"),
            Killed(command: ["verify", "--repair"], published: "abcdef"),
        ]
    }

    init() throws {
        scene = try UpkeepScene()
        whole = scene.scratch.file("whole")
        for pictures in ["abcd", "abcdef"] { #expect(try scene.run(pictures).status == 0) }
        let sql = "SELECT file FROM variant WHERE key LIKE '/d.jpg?%' ORDER BY key LIMIT 1"
        let damaged = try #require(try scene.scratch.index(sql).first)
        _ = try scene.scratch.write([1, 2, 3], as: "cache/" + damaged)
        try FileManager.default.moveItem(atPath: scene.cache, toPath: whole)
    }

    private func begin() throws {
        try? FileManager.default.removeItem(atPath: scene.cache)
        let copied = try Program.run("/bin/cp", ["-a", whole, scene.cache])
        try #require(copied.status == 0, "\(copied.errors)")
    }

    private func words(_ killed: Killed) -> [String] {
        [killed.command[0], "--cache", scene.cache] + killed.command.dropFirst()
    }

    /// Every reader is well off now, and after the command is repeated, and after a night.
    private func finish(_ killed: Killed, _ what: String) throws {
        try scene.expectWhole()
        let again = try Program.run(Program.gearbox, words(killed))
        #expect([0, 1].contains(again.status), "\(what): \(again.errors)")
        try scene.expectWhole()
        if let published = killed.published {
            let now = try scene.published()
            #expect(now == published, "\(what)")
            #expect(scene.files(in: "originals").count == published.count, "\(what)")
        }
        #expect(try scene.run("abcdef").status == 0, "\(what)")
        #expect(try scene.published() == "abcdef", "\(what)")
        #expect(try scene.upkeep("verify", "--repair").status < 2)
        #expect(try scene.run("abcdef").status == 0, "\(what)")
        try scene.expectClean()
    }

    #if DEBUG
        @Test("at any write point leaves a whole index, and can be finished", arguments: points)
        func writePoint(point: String) throws {
            for (number, killed) in commands.enumerated() {
                // The long form has them all.
                let isTurn = (number + (Self.points.firstIndex(of: point) ?? 0)) % 4 == 2
                guard SeededGenerator.isSoaking || isTurn else { continue }
                for time in 1...(SeededGenerator.isSoaking ? 12 : 1) {
                    try begin()
                    let ended = try Program.run(
                        Program.gearbox,
                        words(killed),
                        environment: ["GEARBOX_KILL_AT": "\(point):\(time)"]
                    )
                    if ended.status != -SIGKILL {
                        #expect(time > 1, "\(point) is never reached by \(killed.command)")
                        break
                    }
                    try finish(killed, "\(point):\(time) of \(killed.command)")
                }
            }
        }
    #endif

    @Test("at a random moment leaves a whole index, and can be finished")
    func randomMoment() throws {
        var random = SeededGenerator(seed: 7)
        for turn in 0..<(SeededGenerator.isSoaking ? 200 : 4) {
            try begin()
            let killed = commands[turn % commands.count]
            let program = try RunningProgram(arguments: words(killed), in: scene.scratch)
            usleep(UInt32.random(in: 0...80_000, using: &random))
            program.process.signal(SIGKILL)
            program.process.waitForEnd()
            try finish(killed, "seed \(random.seed), turn \(turn), \(killed.command)")
        }
    }

    @Test("sets a damaged state aside as a run does")
    func damagedState() throws {
        for words in [["verify"], ["evict"], ["remove", "http://h/a.jpg"]] {
            try begin()
            _ = try scene.scratch.write(Array("no database".utf8), as: "cache/state.sqlite")
            let command = Killed(command: words)
            let ended = try Program.run(Program.gearbox, self.words(command))
            #expect(ended.status == 4, "\(words) \(ended.errors)")
            #expect(ended.errors.contains("state.sqlite.damaged"), "\(words) \(ended.errors)")
            try #expect(scene.scratch.bytes(of: "cache/state.sqlite.damaged").count == 11)
            #expect(try scene.run("abcdef").status == 0, "\(words)")
            #expect(try scene.published() == "abcdef", "\(words)")
        }
    }
}
