import Foundation
import TestSupport
import Testing

/// A night with something of everything, prepared so that it can be run again and again from the
/// same beginning: one picture changed, one gone, one new, one asked for at another size, one not
/// asked for any more.
final class PreparedNight: Sendable {
    private let scratch: Scratch
    /// What an uninterrupted run leaves.
    let expected: String
    /// The rows of the index that it publishes.
    let expectedRows: String
    /// How long it takes, in seconds.
    let seconds: Double

    init() throws {
        let scratch = try Scratch()
        self.scratch = scratch
        let pictures = ["album-01.jpg", "album-02.jpg", "album-03.jpg", "album-04.png"]
        for name in pictures {
            try Self.copy("covers/2024/\(name)", to: name, in: scratch)
        }
        try scratch.writePipeline()
        try scratch.writeManifest(pictures.map { "\($0)?param=60y60" })
        let first = try Program.gearbox("run", scratch.file("p.json5"), "--quiet")
        try #require(first.status == 0, "\(first.errors)")
        try Self.copy("covers/2024/album-05.webp", to: "album-02.jpg", in: scratch)
        try Self.copy("covers/2024/album-06.gif", to: "album-06.gif", in: scratch)
        try FileManager.default.removeItem(atPath: scratch.file("origin/album-03.jpg"))
        try scratch.writeManifest([
            "album-01.jpg?param=60y60", "album-01.jpg?param=90y90&quality=60",
            "album-02.jpg?param=60y60", "album-03.jpg?param=60y60", "album-06.gif?param=120x0",
        ])
        let copy = try Scratch()
        try Self.copyAll(scratch, to: copy)
        let start = ContinuousClock.now
        let run = try Program.gearbox("run", copy.file("p.json5"), "--quiet")
        seconds = (ContinuousClock.now - start) / .seconds(1)
        try #require(run.status == 0 || run.status == 1, "\(run.errors)")
        expected = try copy.dump()
        expectedRows = try copy.dump("rows")
    }

    /// Whether this process may mount a file system of its own.
    static let mayMount =
        (try? Program.run("/usr/bin/unshare", ["-m", "/bin/mount", "-t", "tmpfs", "x", "/mnt"])
            .status)
        == 0

    /// A folder in which the night has not begun.
    func begin() throws -> Scratch {
        let copy = try Scratch()
        try Self.copyAll(scratch, to: copy)
        return copy
    }

    private static func copy(_ fixture: String, to name: String, in scratch: Scratch) throws {
        let bytes = try Data(
            contentsOf: URL(fileURLWithPath: "\(Program.root)/fixtures/origin/\(fixture)")
        )
        try scratch.write("", to: "origin/\(name)")
        _ = try scratch.write([UInt8](bytes), as: "origin/\(name)")
    }

    private static func copyAll(_ scratch: Scratch, to other: Scratch) throws {
        // With their times: a mirror's file is known by them.
        let copied = try Program.run("/bin/cp", ["-a", scratch.path + "/.", other.path])
        try #require(copied.status == 0, "\(copied.errors)")
    }
}

extension Scratch {
    fileprivate func writePipeline() throws {
        try write(
            """
            { manifests: ["urls.txt"], cache: "cache", workers: 1, variants: { effort: { webp: 0 } },
              origins: [{ name: "o", hosts: ["h"], sources: [{ mirror: "origin" }] }] }
            """,
            to: "p.json5"
        )
    }

    /// What the cache directory holds, but for what differs from run to run.
    func dump(_ what: String = "dump") throws -> String {
        let dumped = try Program.python(
            Program.root + "/Tests/EndToEndTests/night.py",
            what,
            file("cache")
        )
        try #require(dumped.status == 0, "\(dumped.errors)")
        return dumped.output
    }
}

/// A reader that looks at a cache's index all the time, in a process of its own.
final class IndexWatch {
    private let program: StartedProgram
    private let scratch: Scratch

    init(_ scratch: Scratch) throws {
        self.scratch = scratch
        program = try StartedProgram(
            "/usr/bin/python3",
            [Program.root + "/Tests/EndToEndTests/night.py", "watch", scratch.file("cache")],
            input: .pipe,
            output: .file(scratch.file("watched"))
        )
    }

    /// - Returns: what it saw that was not whole; empty where all was.
    func end() throws -> String {
        try program.input?.close()
        let status = program.waitForEnd()
        let seen = try scratch.read("watched")
        return seen.hasPrefix("whole ") ? "" : seen + "status \(status)"
    }
}
