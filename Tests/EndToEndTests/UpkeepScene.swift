import Foundation
import PictureSupport
import TestSupport
import Testing

/// A cache directory of a few small pictures `a.jpg`, `b.jpg`..., and those who look after it.
struct UpkeepScene {
    let scratch: Scratch
    var cache: String { scratch.file("cache") }
    /// What the pipeline says beside its origin.
    var options = ""

    init(pictures: String = "abcdef") throws {
        scratch = try Scratch()
        let script = """
            import os, random
            os.makedirs("origin", exist_ok=True)
            for name in "\(pictures)":
                noise = random.Random(name).randbytes(96 * 64 * 3)
                picture = Image.frombytes("RGB", (96, 64), noise)
                picture.resize((192, 128)).save(f"origin/{name}.jpg", quality=90)
            """
        _ = try Pillow.run(script, in: scratch)
    }

    @discardableResult
    func run(_ pictures: String, _ arguments: String...) throws -> RunLines {
        try scratch.write(
            pictures.map { "http://h/\($0).jpg?imageView&thumbnail=60x60&type=webp\n" }.joined(),
            to: "urls.txt"
        )
        try scratch.write(
            """
            { manifests: ["urls.txt"], cache: "cache", \(options)
              origins: [{ name: "o", hosts: ["h"], sources: [{ mirror: "origin" }] }] }
            """,
            to: "p.json5"
        )
        return try RunLines(
            Program.run(
                Program.gearbox,
                ["run", scratch.file("p.json5"), "--quiet", "--json", "-"] + arguments
            )
        )
    }

    /// One of the commands that look after the cache directory.
    func upkeep(_ command: String, _ arguments: String...) throws -> Program {
        try Program.run(Program.gearbox, [command, "--cache", cache] + arguments)
    }

    /// Looks into the state, or changes it between two commands.
    @discardableResult
    func state(_ sql: String) throws -> [String] {
        let done = try Program.run("/usr/bin/sqlite3", [scratch.file("cache/state.sqlite"), sql])
        #expect(done.status == 0, "\(done.errors)")
        return done.lines
    }

    /// The sources of the published index.
    func published() throws -> String {
        try scratch.index("SELECT path FROM source ORDER BY path").joined()
            .replacingOccurrences(of: "/", with: "").replacingOccurrences(of: ".jpg", with: "")
    }

    func files(in folder: String) -> [String] {
        scratch.files().filter { $0.hasPrefix("cache/\(folder)/") }
            .map { String($0.dropFirst("cache/".count)) }
    }

    /// A reader of an index finds every file that it names.
    func expectWhole(
        _ index: String = "index.sqlite",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let names = try Program.run(
            "/usr/bin/sqlite3",
            ["-readonly", scratch.file("cache/\(index)"), "SELECT file FROM variant"]
        )
        #expect(names.status == 0, "\(names.errors)", sourceLocation: sourceLocation)
        for name in names.lines {
            #expect(
                FileManager.default.fileExists(atPath: cache + "/" + name),
                "\(name)",
                sourceLocation: sourceLocation
            )
        }
    }

    func expectClean(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let verified = try upkeep("verify")
        #expect(verified.status == 0, "\(verified.output)", sourceLocation: sourceLocation)
    }
}
