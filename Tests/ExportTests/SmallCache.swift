import Export
import GearboxDatabase
import GearboxIndex
import GearboxURL
import Store
import TestSupport
import Testing

/// A variant that a test wants to be in a cache directory.
struct Picture {
    var origin = "pictures"
    var key: String
    var aliases: [String] = []
    var format = "jpg"
    var side = 0
    /// Its bytes; the key where not given, so that each file tells whose it is.
    var text: String?
    /// What the index says in place of its file.
    var file: String?

    init(
        _ key: String,
        origin: String = "pictures",
        aliases: [String] = [],
        format: String = "jpg",
        side: Int = 0,
        text: String? = nil,
        file: String? = nil
    ) {
        self.origin = origin
        self.key = key
        self.aliases = aliases
        self.format = format
        self.side = side
        self.text = text
        self.file = file
    }
}

/// A cache directory with an index and a store, made without a run.
final class SmallCache {
    let scratch: Scratch
    let path: String
    /// The file of each key.
    private(set) var files: [String: String] = [:]

    static let hosts = [
        "pictures": ["a.example", "b.example"], "other.example:8080": ["other.example:8080"],
    ]

    init(_ pictures: [Picture]) throws {
        scratch = try Scratch()
        path = scratch.file("cache")
        let store = try Store(root: path)
        let database = try Database(path: path + "/index.sqlite", access: .readWrite)
        try IndexSchema.create(in: database)
        try database.transaction {
            try Self.meta.write(to: database)
            for (id, name) in Self.hosts.keys.sorted().enumerated() {
                let dialect: String? = name == "pictures" ? "nos" : nil
                try database.run(
                    "INSERT INTO origin (id, name, dialect) VALUES (?1, ?2, ?3)",
                    .integer(id),
                    .text(name),
                    .text(dialect)
                )
                for host in Self.hosts[name] ?? [] {
                    try database.run("INSERT INTO host VALUES (?1, ?2)", .text(host), .integer(id))
                }
            }
            for (id, picture) in pictures.enumerated() {
                let bytes = Array((picture.text ?? "\(picture.origin) \(picture.key)").utf8)
                let stored = try store.add(bytes.span, fileExtension: picture.format)
                files[picture.key] = stored.file
                try insert(picture, id, stored, into: database)
            }
        }
    }

    private func insert(
        _ picture: Picture,
        _ id: Int,
        _ stored: StoredFile,
        into database: Database
    ) throws {
        let origin = Self.hosts.keys.sorted().firstIndex(of: picture.origin) ?? 0
        try database.run(
            """
            INSERT INTO source (id, origin_id, path, version, width, height, format)
            VALUES (?1, ?2, ?3, 'v', 1000, 1000, 'jpg')
            """,
            .integer(id),
            .integer(origin),
            .text("/source-\(id)")
        )
        try database.run(
            """
            INSERT INTO variant (id, origin_id, source_id, key, mode, box_width, box_height, format,
                width, height, bytes, file)
            VALUES (?1, ?2, ?1, ?3, 'x', ?4, 1, ?5, ?4, ?4, ?6, ?7)
            """,
            .integer(id),
            .integer(origin),
            .text(picture.key),
            .integer(picture.side),
            .text(picture.format),
            .integer(stored.bytes),
            .text(picture.file ?? stored.file)
        )
        for alias in picture.aliases {
            try database.run(
                "INSERT INTO alias (origin_id, key, variant_id) VALUES (?1, ?2, ?3)",
                .integer(origin),
                .text(alias),
                .integer(id)
            )
        }
    }

    /// Exports to a folder of the scratch.
    @discardableResult
    func export(
        _ layout: String,
        to name: String = "out",
        _ options: ExportOptions = ExportOptions()
    ) throws -> ExportReport {
        let exporter = Exporter(
            cache: path,
            layout: try #require(Layouts.named(layout)),
            options: options,
            version: "0"
        )
        return try exporter.export(to: scratch.file(name))
    }

    /// The files of an export, without its record.
    func exported(_ name: String = "out") -> [String] {
        scratch.files().filter { $0.hasPrefix(name + "/") }.map {
            String($0.dropFirst(name.count + 1))
        }
        .filter { $0 != "export.json" }
    }

    private static let meta = IndexMeta(
        rules: CanonicalRules(
            origins: [OriginRules(name: "pictures", hosts: ["a.example", "b.example"])]
        ),
        steps: "",
        generation: 7,
        builtAt: "2026-01-01T00:00:00Z",
        version: "0"
    )
}
