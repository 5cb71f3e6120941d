import GearboxDatabase
import GearboxIndex
import TestSupport
import Testing

@Suite("A packed index")
struct PackedIndexTests {
    private let scratch: Scratch
    private let database: Database

    init() throws {
        scratch = try Scratch()
        database = try Database(path: scratch.file("index.sqlite"), access: .readWrite)
        try IndexSchema.create(in: database)
        try database.execute("INSERT INTO origin (id, name) VALUES (1, 'o'), (2, 'p')")
    }

    private static let digest = String(repeating: "0af9", count: 16)
    private static let columns = """
        id, origin_id, source_id, key, mode, box_width, box_height, quality, format, enlarge, extra,
        width, height, animated, full_size, bytes, file
        """

    private func rows(_ query: String) throws -> [String] {
        try database.all(query) { row in
            (0..<17).map { row.optionalText($0) ?? "NULL" }.joined(separator: " ")
        }
    }

    @Test("gives every row back as it was written")
    func roundTrip() throws {
        try database.execute(
            """
            INSERT INTO source (id, origin_id, path, version, width, height, alpha, format, bytes)
            VALUES (1, 1, '/a.jpg?v=1', '\(Self.digest)', 30, 20, 1, 'jpg', 7),
                (2, 2, '/a.jpg?v=1', 'no digest', NULL, NULL, 0, NULL, NULL);
            """
        )
        let sources = try database.all(
            "SELECT path, version, width, alpha, stale, format, bytes FROM source ORDER BY id"
        ) { row in (0..<7).map { row.optionalText($0) ?? "NULL" } }
        #expect(
            sources == [
                ["/a.jpg?v=1", Self.digest, "30", "1", "0", "jpg", "7"],
                ["/a.jpg?v=1", "no digest", "NULL", "0", "0", "NULL", "NULL"],
            ]
        )
        let name = "store/0a/\(Self.digest)"
        let written = [
            "1, 1, 1, '/a.jpg?quality=89&thumbnail=9x9&v=1', 'x', 9, 9, 89, 'jpg', 0, '', 9, 6, 0, 0, 5, '\(name).jpg'",
            "2, 1, 1, '/a.jpg?v=1', '', 0, 0, 100, 'png', 0, '', 30, 20, 1, 1, 5, '\(name).png'",
            "3, 2, 2, '/a.jpg?quality=89&thumbnail=9x9&v=1', 'x', 9, 9, 89, 'jpg', 1, 'axis=0_0', NULL, NULL, 0, 0, 5, '\(name).webp'",
            "4, 2, NULL, '/a.jpg?watermark&v=1', '', 0, 0, 100, 'gif', 0, '', 1, 1, 0, 0, 5, 'store/0A/\(Self.digest).gif'",
            "5, 2, 2, '/elsewhere', '', 0, 0, 100, 'gif', 0, '', 1, 1, 0, 0, 5, 'bundled.gif'",
            "6, 2, NULL, '/', '', 0, 0, 100, 'gif', 0, '', 1, 1, 0, 0, 5, 'store/0a/0a.gif'",
        ]
        for values in written {
            try database.execute("INSERT INTO variant (\(Self.columns)) VALUES (\(values))")
        }
        let expected = written.map {
            $0.replacing("''", with: "").replacing("'", with: "").replacing(",", with: "")
        }
        #expect(try rows("SELECT \(Self.columns) FROM variant ORDER BY id") == expected)
        // From a source and from an identifier to the key, too.
        for id in 1...6 {
            #expect(
                try rows("SELECT \(Self.columns) FROM variant WHERE id = \(id)") == [
                    expected[id - 1]
                ]
            )
        }
        #expect(
            try rows("SELECT \(Self.columns) FROM variant WHERE source_id = 2 ORDER BY id") == [
                expected[2], expected[4],
            ]
        )
        let packed = try database.all("SELECT typeof(file) FROM packed_variant ORDER BY id") {
            $0.text(0)
        }
        #expect(packed == ["blob", "blob", "text", "text", "text", "blob"])
    }

    @Test("refuses a second variant of a key, in its origin")
    func unique() throws {
        let insert = "INSERT INTO variant (origin_id, key, format, bytes, file) VALUES "
        try database.execute(insert + "(1, '/a', 'jpg', 1, 'f'), (2, '/a', 'jpg', 1, 'f')")
        let error = #expect(throws: DatabaseError.self) {
            try database.execute(insert + "(1, '/a', 'png', 1, 'g')")
        }
        #expect(error?.code == .constraint)
    }

    @Test(
        "searches, and never scans, where a client goes from a name to rows",
        arguments: [
            "SELECT file FROM variant WHERE origin_id = ?1 AND key = ?2",
            "SELECT * FROM variant WHERE origin_id = ?1 AND key = ?2",
            "SELECT * FROM variant WHERE id = ?1",
            "SELECT * FROM variant WHERE source_id = ?1",
            "SELECT * FROM source WHERE origin_id = ?1 AND path = ?2",
            "SELECT * FROM source WHERE id = ?1",
            """
            SELECT v.file FROM alias AS a JOIN variant AS v ON v.id = a.variant_id
            WHERE a.origin_id = ?1 AND a.key = ?2
            """,
            """
            SELECT v.* FROM host AS h JOIN source AS s ON s.origin_id = h.origin_id
            JOIN variant AS v ON v.source_id = s.id WHERE h.name = ?1 AND s.path = ?2
            """,
            """
            SELECT v.file FROM origin AS o JOIN variant AS v ON v.origin_id = o.id
            WHERE o.name = ?1 AND v.key = ?2
            """,
        ]
    )
    func plans(query: String) throws {
        let plan = try database.plan(of: query)
        #expect(!plan.isEmpty)
        for step in plan {
            #expect(
                step.hasPrefix("SEARCH ") || step.contains("SCALAR SUBQUERY"),
                "\(plan.joined(separator: "; "))"
            )
        }
    }
}

extension Database {
    /// What SQLite would do, a step each.
    fileprivate func plan(of query: String) throws -> [String] {
        let whole = query.replacing("?1", with: "1").replacing("?2", with: "'x'")
        return try all("EXPLAIN QUERY PLAN " + whole) { $0.text(3) }
    }
}
