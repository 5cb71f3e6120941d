import Foundation
import TestSupport
import Testing

@Suite("A verification")
struct VerificationTests {
    private let scene: UpkeepScene

    init() throws { scene = try UpkeepScene() }

    /// A variant's file of a picture.
    private func file(_ picture: String) throws -> String {
        let sql = "SELECT file FROM variant WHERE key LIKE '/\(picture).jpg?%' ORDER BY key LIMIT 1"
        return try #require(try scene.scratch.index(sql).first)
    }

    private func faults(_ program: Program) throws -> [String: Int] {
        let json = try JSONText(program.output)
        let pairs = (json.list("faults") ?? []).map {
            ($0.text("fault") ?? "", $0.integer("count") ?? 0)
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    /// Each damage by the word that it is found under.
    private func damage(_ fault: String) throws {
        let scratch = scene.scratch
        let name = "cache/" + (try file("a"))
        switch fault {
        case "missing": try FileManager.default.removeItem(atPath: scratch.file(name))
        case "wrong size": _ = try scratch.write([1, 2, 3], as: name)
        case "wrong digest":
            var bytes = try scratch.bytes(of: name)
            bytes[bytes.count / 2] ^= 1
            _ = try scratch.write(bytes, as: name)
        case "not a picture":
            let text = Array("<html>no picture</html>".utf8)
            let whole = try scratch.write(text, as: "text")
            let digest = try Program.run("/usr/bin/sha256sum", [whole]).output.prefix(64)
            let lie = "store/\(digest.prefix(2))/\(digest).webp"
            try scratch.write(String(decoding: text, as: UTF8.self), to: "cache/\(lie)")
            try scene.state(
                "UPDATE variant SET file = '\(lie)', bytes = \(text.count) WHERE file = '\(try file("a"))'"
            )
        case "orphan":
            try scratch.write(
                "who needs me",
                to: "cache/store/00/\(String(repeating: "0", count: 64)).webp"
            )
        case "abandoned": try scratch.write("half a", to: "cache/tmp/1-abc")
        case "index":
            _ = try scratch.write(
                Array(scratch.bytes(of: "cache/index.sqlite").prefix(5_000)),
                as: "cache/index.sqlite"
            )
        default: Issue.record("no such fault")
        }
    }

    @Test(
        "finds a damage, and --repair and a run make it good",
        arguments: [
            "missing", "wrong size", "wrong digest", "not a picture", "orphan", "abandoned",
            "index",
        ]
    )
    func repair(fault: String) throws {
        #expect(try scene.run("abc").status == 0)
        try scene.expectClean()
        try damage(fault)
        let found = try scene.upkeep("verify", "--json")
        #expect(found.status == 1)
        #expect(try faults(found)[fault] == 1, "\(found.output)")
        let text = try scene.upkeep("verify")
        #expect(text.status == 1)
        #expect(text.output.contains("  \(fault): 1"), "\(text.output)")

        let repaired = try scene.upkeep("verify", "--repair", "--json")
        #expect(repaired.status == 1)
        #expect(try faults(repaired)[fault] == 1)
        try scene.expectWhole()
        try scene.expectClean()
        let again = try scene.run("abc")
        #expect(again.status == 0)
        let isRemade = ["missing", "wrong size", "wrong digest", "not a picture"].contains(fault)
        #expect((again.run["variantsMade"] ?? 0) == (isRemade ? 1 : 0))
        #expect(try scene.published() == "abc")
        try scene.expectClean()
    }

    @Test("repairs also where everything was evicted")
    func nothingNamed() throws {
        #expect(try scene.run("ab").status == 0)
        #expect(try scene.upkeep("evict", "--max-bytes", "1", "--force").status == 0)
        try scene.scratch.write("half a", to: "cache/tmp/1-abc")
        for folder in try FileManager.default.contentsOfDirectory(atPath: scene.cache + "/store") {
            try FileManager.default.removeItem(atPath: scene.cache + "/store/" + folder)
        }
        #expect(try scene.upkeep("verify", "--repair").status == 1)
        try scene.expectClean()
    }

    @Test("of an original asks only that what is there is right")
    func originals() throws {
        #expect(try scene.run("ab").status == 0)
        let originals = scene.files(in: "originals")
        #expect(originals.count == 2)
        try FileManager.default.removeItem(atPath: scene.cache + "/" + originals[0])
        try scene.expectClean()
        _ = try scene.scratch.write([0xFF, 0xD8, 0xFF], as: "cache/" + originals[1])
        #expect(try faults(scene.upkeep("verify", "--json")) == ["wrong size": 1])
        #expect(try scene.upkeep("verify", "--repair").status == 1)
        #expect(scene.files(in: "originals") == [])
        #expect(try scene.run("ab").entries.map(\.outcome) == ["reused", "reused"])
    }

    @Test("changes nothing where the store's disk is not there")
    func emptyStore() throws {
        #expect(try scene.run("ab").status == 0)
        try FileManager.default.moveItem(
            atPath: scene.cache + "/store",
            toPath: scene.cache + "/store-of-another-disk"
        )
        let refused = try scene.upkeep("verify", "--repair")
        #expect(refused.status == 4)
        #expect(refused.errors.contains("is its disk mounted?"), "\(refused.errors)")
        try FileManager.default.removeItem(atPath: scene.cache + "/store")
        try FileManager.default.moveItem(
            atPath: scene.cache + "/store-of-another-disk",
            toPath: scene.cache + "/store"
        )
        try scene.expectClean()
    }

    @Test("that cannot publish leaves every file that the published index names")
    func order() throws {
        #expect(try scene.run("ab").status == 0)
        try damage("wrong digest")
        try scene.scratch.block("cache/previous")
        #expect(try scene.upkeep("verify", "--repair").status == 4)
        try scene.expectWhole()
        try FileManager.default.removeItem(atPath: scene.cache + "/previous")
        #expect(try scene.run("ab").status == 0)
        #expect(try scene.upkeep("verify", "--repair").status == 1)
        #expect(try scene.run("ab").status == 0)
        try scene.expectClean()
    }

    @Test("stops between two files when it is asked to, and ends with 130")
    func interrupted() throws {
        #expect(try scene.run("a").status == 0)
        // As much to read as takes a while, and no room on the disk.
        let bytes = 64 << 20
        let digits = (10..<90).map { "\($0)" + String(repeating: "0", count: 62) }
        for digest in digits {
            try scene.scratch.write("", to: "cache/store/\(digest.prefix(2))/\(digest).jpg")
            let path = "\(scene.cache)/store/\(digest.prefix(2))/\(digest).jpg"
            let handle = try #require(FileHandle(forWritingAtPath: path))
            try handle.truncate(atOffset: UInt64(bytes))
        }
        let rows = digits.map {
            "(1, 1\($0.prefix(2)), 'store/\($0.prefix(2))/\($0).jpg', \(bytes))"
        }
        try scene.state(
            "INSERT INTO variant (source_id, form_id, file, bytes) VALUES "
                + rows.joined(separator: ",")
        )
        let verify = try RunningProgram("verify", "--cache", scene.cache, in: scene.scratch)
        try verify.process.wait {
            try scene.scratch.read("cache/lock").contains("\(verify.process.identifier)")
        }
        verify.process.signal(SIGINT)
        #expect(verify.process.waitForEnd() == 130)
    }

    @Test("and its like take the lock, and end with 4 where a run has it, or none has been there")
    func locked() throws {
        let commands = [["verify"], ["evict", "--max-bytes", "1"], ["remove", "http://h/a.jpg"]]
        for command in commands {
            let nobody = try Program.run(
                Program.gearbox,
                [command[0], "--cache", scene.scratch.path] + command.dropFirst()
            )
            #expect(nobody.status == 4)
            #expect(nobody.errors.contains("no state.sqlite"), "\(nobody.errors)")
        }
        #expect(try scene.run("a").status == 0)
        let holder = try StartedProgram(
            Program.gearbox,
            ["run", scene.scratch.file("p.json5"), "--quiet", "--manifest", "-"],
            input: .pipe
        )
        try holder.wait {
            try scene.scratch.read("cache/lock").contains("\(holder.identifier)")
        }
        for command in commands {
            let second = try Program.run(
                Program.gearbox,
                [command[0], "--cache", scene.cache] + command.dropFirst()
            )
            #expect(second.status == 4)
            #expect(second.errors.contains("process \(holder.identifier)"))
        }
        try holder.input?.close()
        holder.waitForEnd()
    }
}
