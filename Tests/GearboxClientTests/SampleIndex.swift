import GearboxDatabase
import GearboxIndex
import GearboxURL
import TestSupport

/// An index file of one origin `h`, written row by row.
struct SampleIndex {
    struct Source {
        var path: String
        var width = 1000
        var height = 500
        var version = "v1"
        var alpha = false
        var animated = false
        var format = "jpg"
    }

    struct Variant {
        var key: String
        /// The path of its source.
        var source: String
        var mode: String
        var width: Int
        var height: Int
        var quality = 89
        var format = "jpg"
        var file: String
    }

    var sources: [Source] = []
    var variants: [Variant] = []
    var steps = ""
    var generation = 1
    var rules = CanonicalRules(origins: [OriginRules(name: "h", hosts: ["h"])])

    /// Writes a new file under a name of its own, then gives it the wanted one.
    func write(to path: String) throws {
        let draft = path + ".draft"
        _ = try Program.run("/bin/rm", ["-f", draft])
        let database = try Database(path: draft, access: .readWrite)
        try IndexSchema.create(in: database)
        try IndexMeta(
            rules: rules,
            steps: steps,
            generation: generation,
            builtAt: "2026-01-01T00:00:00Z",
            version: "0"
        ).write(to: database)
        try database.execute(
            """
            INSERT INTO origin (id, name, dialect) VALUES (1, 'h', 'nos');
            INSERT INTO host (name, origin_id) VALUES ('h', 1);
            """
        )
        for source in sources {
            try database.run(
                """
                INSERT INTO source (origin_id, path, version, width, height, alpha, animated, format)
                VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7)
                """,
                .text(source.path),
                .text(source.version),
                .integer(source.width),
                .integer(source.height),
                .integer(source.alpha ? 1 : 0),
                .integer(source.animated ? 1 : 0),
                .text(source.format)
            )
        }
        for variant in variants {
            try database.run(
                """
                INSERT INTO variant (origin_id, source_id, key, mode, quality, format, width, height,
                    bytes, file)
                VALUES (1, (SELECT id FROM source WHERE path = ?1), ?2, ?3, ?4, ?5, ?6, ?7, 9, ?8)
                """,
                .text(variant.source),
                .text(variant.key),
                .text(variant.mode),
                .integer(variant.quality),
                .text(variant.format),
                .integer(variant.width),
                .integer(variant.height),
                .text(variant.file)
            )
        }
        _ = try Program.run("/bin/mv", [draft, path])
    }
}
