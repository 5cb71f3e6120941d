internal import GearboxDatabase

/// A variant as far as is needed to see whether it is due.
struct PlannedFile: Sendable {
    var id: Int
    var source: Int
    /// Whether the plan wants it.
    var isWanted: Bool
    /// Whether the plan wants its source's bytes.
    var isOfPlan: Bool
    /// Relative to the cache directory.
    var file: String?
    var bytes: Int
    /// The settings it was made with.
    var work: String
    var format: String
    /// Whether it was made of the version of its source that was rendered last; `nil` where none was.
    var isOfVersion: Bool?
    /// Whether it is its source's own bytes.
    var isOriginal: Bool
    /// What the last rendering found of its source.
    var isAnimated: Bool
    var hasAlpha: Bool
}

/// Which sources have something due: beside the state, for as long as the run lasts.
extension StateDatabase {
    func beginDue() throws {
        isDueKnown = false
        try database.execute(
            """
            CREATE TEMP TABLE IF NOT EXISTS due_source (id INTEGER PRIMARY KEY);
            DELETE FROM temp.due_source
            """
        )
    }

    func noteDue(ofSource id: Int) throws {
        try database.statement("INSERT OR IGNORE INTO temp.due_source (id) VALUES (?1)").run(
            .integer(id)
        )
    }

    func lastSource() throws -> Int {
        try database.first("SELECT coalesce(max(id), 0) FROM source") { $0.integer(0) } ?? 0
    }

    /// What is wanted of the sources from one row to another, and what was made of them.
    func plannedFiles(listing: Int, from first: Int, through last: Int) throws -> [PlannedFile] {
        try database.all(
            Self.plannedFiles,
            .integer(listing),
            .integer(first),
            .integer(last)
        ) { row in
            PlannedFile(
                id: row.integer(0),
                source: row.integer(1),
                isWanted: row.flag(2),
                isOfPlan: row.flag(11),
                file: row.optionalText(3),
                bytes: row.integer(4),
                work: row.text(5),
                format: row.text(6),
                isOfVersion: row.optionalInteger(7).map { $0 != 0 },
                isOriginal: row.flag(8),
                isAnimated: row.flag(9),
                hasAlpha: row.flag(10)
            )
        }
    }

    private static let plannedFiles = """
        SELECT v.id, s.id, v.wanted = ?1, v.file, v.bytes, v.work, v.format,
            v.version = s.rendered_version, f.original OR s.variant_of IS NOT NULL, s.animated, s.alpha,
            s.wanted = ?1
        FROM source AS s CROSS JOIN variant AS v CROSS JOIN form AS f
        WHERE s.id BETWEEN ?2 AND ?3 AND v.source_id = s.id
            AND (v.file IS NOT NULL OR v.wanted = ?1 AND s.wanted = ?1) AND f.id = v.form_id
        """
}
