internal import GearboxDatabase

extension IndexCatalog {
    /// Writes an index of the selected variants alone: with their sources, origins and aliases, and
    /// all that `meta` says.
    ///
    /// - Parameters:
    ///   - path: where it goes; nothing is there.
    ///   - draft: a path for what it is made from, gone at the end.
    /// - Throws: where it cannot be written.
    package func writeExcerpt(to path: String, by draft: String) throws {
        let excerpt = try Database(path: draft, access: .readWrite)
        // It is thrown away if the machine stops: it needs no journal.
        try excerpt.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        try IndexSchema.create(in: excerpt)
        try excerpt.transaction {
            for table in Self.tables { try copy(table, to: excerpt) }
        }
        try excerpt.run("VACUUM INTO ?1", .text(path))
    }

    /// Files that the selected variants are in, each once.
    package func forEachFile(_ visit: (_ file: String, _ bytes: Int) throws -> Void) throws {
        try database.forEach(Self.selectFiles) { try visit($0.text(0), $0.integer(1)) }
    }

    /// A table of docs/index.md, and which of its rows belong to the selected variants.
    private struct Table {
        var name: String
        var columns: [String]
        var condition: String
        var order: String
    }

    private func copy(_ table: Table, to excerpt: Database) throws {
        let columns = table.columns.joined(separator: ", ")
        let places = (1...table.columns.count).map { "?\($0)" }.joined(separator: ", ")
        let rows =
            "SELECT \(columns) FROM \(table.name) WHERE \(table.condition) ORDER BY \(table.order)"
        let insert = try excerpt.statement(
            "INSERT INTO \(table.name) (\(columns)) VALUES (\(places))"
        )
        try database.forEach(rows) { row in
            try insert.bind(table.columns.indices.map(row.value))
            _ = try insert.step()
        }
        insert.reset()
    }

    private static let tables = [
        Table(name: "meta", columns: ["name", "value"], condition: "1", order: "name"),
        Table(
            name: "origin",
            columns: [
                "id", "name", "dialect", "drop_parameters", "keep_parameters", "unknown_parameters",
            ],
            condition: "id IN (\(ofVariants("origin_id")))",
            order: "id"
        ),
        Table(
            name: "host",
            columns: ["name", "origin_id"],
            condition: "origin_id IN (\(ofVariants("origin_id")))",
            order: "name"
        ),
        Table(
            name: "source",
            columns: [
                "id", "origin_id", "path", "version", "width", "height", "animated", "alpha",
                "format", "bytes", "stale",
            ],
            condition: "id IN (\(ofVariants("source_id")))",
            order: "id"
        ),
        Table(
            name: "variant",
            columns: [
                "id", "origin_id", "source_id", "key", "mode", "box_width", "box_height", "quality",
                "format", "enlarge", "extra", "width", "height", "animated", "full_size", "bytes",
                "file",
            ],
            condition: "id IN (SELECT id FROM chosen)",
            order: "id"
        ),
        Table(
            name: "alias",
            columns: ["origin_id", "key", "variant_id"],
            condition: "variant_id IN (SELECT id FROM chosen)",
            order: "origin_id, key"
        ),
    ]

    private static func ofVariants(_ column: String) -> String {
        "SELECT v.\(column) FROM variant AS v JOIN chosen AS c ON c.id = v.id"
    }

    private static let selectFiles = """
        SELECT file, max(bytes) FROM chosen AS c JOIN variant AS v ON v.id = c.id
        GROUP BY file ORDER BY file
        """
}
