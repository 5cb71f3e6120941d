import GearboxDatabase
import GearboxIndex
import GearboxURL
import TestSupport
import Testing

@Suite("What an index says of itself")
struct IndexMetaTests {
    private let scratch: Scratch
    private let database: Database
    private let meta = IndexMeta(
        rules: CanonicalRules(
            sizes: SizeLadder(gears: [64, 128], overflow: .clamp),
            qualities: QualityLadder(gears: [50, 100], defaultQuality: 60),
            defaultDialect: .oss,
            defaultScheme: "https"
        ),
        steps: "",
        generation: 7,
        builtAt: "2026-01-01T00:00:00Z",
        version: "1"
    )

    init() throws {
        scratch = try Scratch()
        database = try Database(path: scratch.path + "/index.sqlite", access: .readWrite)
        try IndexSchema.create(in: database)
        try meta.write(to: database)
    }

    private func set(_ name: String, _ value: String) throws {
        try database.run("UPDATE meta SET value = ?1 WHERE name = ?2", .text(value), .text(name))
    }

    private func addOrigin(dialect: String, unknown: String) throws {
        try database.run(
            "INSERT INTO origin (id, name, dialect, unknown_parameters) VALUES (1, 'o', ?1, ?2)",
            .text(dialect),
            .text(unknown)
        )
    }

    @Test("is read as it was written, with its origins")
    func roundTrip() throws {
        #expect(try IndexMeta(from: database) == meta)
        try addOrigin(dialect: "qiniu", unknown: "drop")
        try database.run("INSERT INTO host (name, origin_id) VALUES ('h', 1)")
        var expected = meta
        expected.rules.origins = [
            OriginRules(name: "o", hosts: ["h"], dialect: .qiniu, unknown: .drop)
        ]
        #expect(try IndexMeta(from: database) == expected)
    }

    @Test(
        "is refused where a value cannot be, by its name",
        arguments: [
            ("sizes", ""), ("sizes", "0,30"), ("sizes", "30,4097"), ("sizes", "30,,60"),
            ("sizes", "30,many"), ("sizes", "99999999999999999999"), ("qualities", "-1"),
            ("qualities", "39,101"), ("qualities", "x"), ("default_quality", "0"),
            ("default_quality", "101"), ("default_quality", ""), ("overflow", "wrap"),
            ("default_dialect", "imgix"), ("default_scheme", "ftp"), ("generation", "first"),
        ]
    )
    func invalid(name: String, value: String) throws {
        try set(name, value)
        let error = #expect(throws: IndexError.self) { try IndexMeta(from: database) }
        #expect(error?.code == .invalidMeta)
        #expect(
            error?.message.contains("\(name) is \"\(value)\"") == true,
            "\(String(describing: error))"
        )
    }

    @Test("is refused where a value is missing")
    func missing() throws {
        for name in ["sizes", "qualities", "overflow", "default_quality", "default_dialect"] {
            try database.run("DELETE FROM meta WHERE name = ?1", .text(name))
            let error = #expect(throws: IndexError.self) { try IndexMeta(from: database) }
            #expect(error?.message.contains("is missing") == true)
        }
    }

    @Test("is refused where an origin's URLs are read in a way that is not known here")
    func unknownDialect() throws {
        for (dialect, unknown) in [("imgix", "keep"), ("nos", "guess"), ("", "drop")] {
            try database.execute("DELETE FROM origin")
            try addOrigin(dialect: dialect, unknown: unknown)
            let error = #expect(throws: IndexError.self) { try IndexMeta(from: database) }
            #expect(error?.code == .invalidMeta)
            #expect(error?.message.contains("\"o\"") == true)
        }
    }
}
