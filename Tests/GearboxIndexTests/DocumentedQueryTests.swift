import Foundation
import GearboxDatabase
import GearboxIndex
import GearboxURL
import TestSupport
import Testing

@Suite("The documented query")
struct DocumentedQueryTests {
    private let scratch: Scratch
    private let document: String

    init() throws {
        scratch = try Scratch()
        document = try String(contentsOfFile: Program.root + "/docs/index.md", encoding: .utf8)
        let database = try Database(path: scratch.file("cache.sqlite"), access: .readWrite)
        try IndexSchema.create(in: database)
        try IndexMeta(rules: CanonicalRules(), steps: "", generation: 1, builtAt: "", version: "")
            .write(to: database)
        try database.execute(
            """
            INSERT INTO origin (id, name) VALUES (1, 'music');
            INSERT INTO source (id, origin_id, path, width, height, format)
                VALUES (1, 1, '/a.jpg', 1000, 500, 'jpg');
            INSERT INTO variant (origin_id, source_id, key, mode, quality, format, width, height, bytes,
                file)
            VALUES (1, 1, '/a.jpg?imageView=1&quality=89&thumbnail=1024x1024&type=webp', 'x', 89, 'webp',
                1000, 500, 9, 'store/aa/aa.webp');
            """
        )
    }

    /// The text of the document's fenced block of a language.
    private func block(_ language: String) throws -> String {
        let begin = try #require(document.range(of: "```\(language)\n"))
        let end = try #require(
            document.range(of: "```", range: begin.upperBound..<document.endIndex)
        )
        return String(document[begin.upperBound..<end.lowerBound])
    }

    @Test("stands in docs/index.md as the index brings it")
    func sameText() throws {
        #expect(try block("sql") == IndexSchema.resolveQuery)
    }

    @Test("names its parameters in the documented order")
    func parameters() throws {
        let table = try #require(document.range(of: "| parameter | value |"))
        let end = try #require(
            document.range(of: "\n\n", range: table.upperBound..<document.endIndex)
        )
        let documented = document[table.upperBound..<end.lowerBound].split(separator: "\n")
            .compactMap { $0.split(separator: "|").first }
            .flatMap { $0.matches(of: /:[a-z_]+/).map { String($0.output) } }
        var named: [String] = []
        let code = IndexSchema.resolveQuery.split(separator: "\n").filter { !$0.hasPrefix("--") }
        for match in code.joined(separator: "\n").matches(of: /:[a-z_]+/)
        where !named.contains(String(match.output)) {
            named.append(String(match.output))
        }
        #expect(documented == named)
        #expect(named.count == 14)
    }

    @Test("searches, and never scans a table")
    func plan() throws {
        let database = try Database(path: scratch.file("cache.sqlite"), access: .immutable)
        let values = [Value](repeating: nil, count: 14)
        let statement = try database.statement("EXPLAIN QUERY PLAN " + IndexSchema.resolveQuery)
        try statement.bind(values)
        var steps: [String] = []
        while try statement.step() { steps.append(statement.text(3)) }
        let tables = [
            "k", "v", "f", "s", "b", "o", "variant", "source", "alias", "origin", "meta",
            "packed_key", "packed_variant", "packed_form", "packed_source",
        ]
        #expect(steps.count > 20)
        for step in steps where step.hasPrefix("SCAN ") {
            #expect(!tables.contains(String(step.split(separator: " ")[1])), "\(step)")
        }
    }

    @Test(
        "runs from Python as documented, in a folder that may not be written, by somebody else",
        arguments: ["mode=ro&immutable=1", "mode=ro"]
    )
    func python(mode: String) throws {
        // Where nobody else may look into the tests' own folder, the index is in one of its own.
        let folder = "/tmp/gearbox-query-\(UUID().uuidString)"
        let manager = FileManager.default
        try manager.createDirectory(atPath: folder + "/cache", withIntermediateDirectories: true)
        defer {
            try? manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder + "/cache")
            try? manager.removeItem(atPath: folder)
        }
        let index = folder + "/cache/index.sqlite"
        try manager.copyItem(atPath: scratch.file("cache.sqlite"), toPath: index)
        try manager.setAttributes([.posixPermissions: 0o444], ofItemAtPath: index)
        try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder + "/cache")
        let documented = try block("python")
        #expect(documented.contains("mode=ro&immutable=1"))
        let script = """
            import os
            assert not os.access("cache", os.W_OK), "the folder may be written"
            \(documented.replacing("mode=ro&immutable=1", with: mode))
            print(*row)
            """
        let python = ["/usr/bin/python3", "-c", script]
        let isRoot = getuid() == 0
        let program = try Program.run(
            isRoot ? "/usr/bin/setpriv" : python[0],
            isRoot
                ? ["--reuid", "65534", "--regid", "65534", "--clear-groups"] + python
                : Array(python.dropFirst()),
            in: folder
        )
        #expect(program.errors == "")
        #expect(
            program.output
                == "reuse store/aa/aa.webp x 256 256 89 webp 512 256 128 0 256 256\n"
        )
        #expect(try manager.contentsOfDirectory(atPath: folder + "/cache") == ["index.sqlite"])
    }
}
