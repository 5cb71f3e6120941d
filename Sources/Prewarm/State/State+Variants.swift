internal import GearboxDatabase
internal import GearboxURL

/// A variant of a source: what it is, and what was made of it.
struct VariantRow: Sendable {
    struct File: Sendable, Hashable {
        /// The version of the source that it was made from.
        var version: String
        /// The settings it was made with.
        var work: String
        var format: String
        /// Relative to the cache directory.
        var file: String
        var bytes: Int
    }

    var id: Int
    var key: String
    /// `nil`: the source's own bytes, which those of a variant that its origin renders are, too.
    var directives: Directives?
    var isWanted: Bool
    var file: File?
}

/// What a rendering made of a variant.
struct MadeVariant: Sendable {
    var id: Int
    var format: String
    /// The settings that the file depends on.
    var work: String
    var size: Size?
    var animated: Bool
    var fullSize: Bool
    var bytes: Int
    /// Relative to the cache directory.
    var file: String
}

extension StateDatabase {
    /// All variants of a source that are wanted or were made.
    func variants(of source: SourceRow, listing: Int) throws -> [VariantRow] {
        try database.all(
            Self.variantsOfSource,
            .integer(source.id),
            .integer(listing),
            .flag(source.variantOf != nil),
            read: VariantRow.init(row:)
        )
    }

    /// What the URLs of a listing ask of a source; `nil` for its own bytes.
    func requests(ofSource source: Int, listing: Int) throws -> [Directives?] {
        try database.all(Self.requestsOfSource, .integer(source), .integer(listing)) { row in
            VariantRow(row: row).directives
        }
    }

    func setMade(
        _ made: MadeVariant,
        version: String,
        run: Int
    ) throws {
        try database.statement(Self.updateMade).run(
            .text(version),
            .text(made.work),
            .integer(run),
            .text(made.format),
            .integer(made.size?.width),
            .integer(made.size?.height),
            .flag(made.animated),
            .flag(made.fullSize),
            .integer(made.bytes),
            .text(made.file),
            .integer(made.id)
        )
    }

    /// Equal files count for each variant.
    func countMadeFiles() throws -> Int {
        try database.first("SELECT count(*) FROM variant WHERE file IS NOT NULL") {
            $0.integer(0)
        } ?? 0
    }

    /// Forgets a made file: the variant is due again where it is wanted.
    func forgetFile(ofVariant id: Int) throws {
        try database.statement(
            "UPDATE variant SET version = NULL, file = NULL, bytes = NULL WHERE id = ?1"
        ).run(.integer(id))
        try noteFilesForgotten()
    }

    /// Notes that files are gone: an origin that renders is asked no more for what nobody wants and is
    /// not there, so that the next night plans anew.
    func noteFilesForgotten() throws {
        try forgetDone(from: .plan)
        try noteChange()
    }

    func setFailure(_ code: String, _ message: String, ofVariant id: Int, run: Int) throws {
        try database.statement(
            "UPDATE variant SET failure_run = ?1, failure_code = ?2, failure = ?3 WHERE id = ?4"
        ).run(.integer(run), .text(code), .text(message), .integer(id))
    }

    private static let variantsOfSource = """
        SELECT \(VariantRow.columns(isOriginal: "original OR ?3")), wanted = ?2 FROM keyed_variant
        WHERE source_id = ?1 AND (wanted = ?2 OR file IS NOT NULL) ORDER BY id
        """

    private static let requestsOfSource = """
        SELECT \(VariantRow.askedColumns), wanted = ?2 FROM keyed_variant
        WHERE requested = ?2 AND source_id IN
            (SELECT ?1 UNION ALL SELECT id FROM source WHERE variant_of = ?1) ORDER BY id
        """

    private static let updateMade = """
        UPDATE variant SET version = ?1, work = ?2, run_id = ?3, format = ?4, width = ?5,
            height = ?6, animated = ?7, full_size = ?8, bytes = ?9, file = ?10, failure_run = NULL,
            failure_code = NULL, failure = NULL WHERE id = ?11
        """
}

extension VariantRow {
    /// What a row is read from as URLs ask for it, and whether it is wanted behind them.
    static let askedColumns = columns(isOriginal: "original")

    /// The same of a row as it is made: whether of its source's own bytes is an expression of SQL.
    static func columns(isOriginal: String) -> String {
        """
        id, key, \(isOriginal), mode, box_width, box_height, quality, asked_format, enlarge,
        axis_x, axis_y, interlace, keeps_animation, wanted, version, work, file, bytes, format
        """
    }

    init(row: Statement) {
        id = row.integer(0)
        key = row.text(1)
        directives = row.directives(from: 2)
        if let version = row.optionalText(14), let file = row.optionalText(16) {
            self.file = File(
                version: version,
                work: row.text(15),
                format: row.text(18),
                file: file,
                bytes: row.integer(17)
            )
        }
        isWanted = row.flag(19)
    }
}
