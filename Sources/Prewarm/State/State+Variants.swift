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
    /// Makes the variant's row where it is new, and marks it as asked for or as wanted.
    ///
    /// - Returns: its row.
    func mark(
        _ mark: VariantMark,
        origin: Int,
        source: Int,
        key: String,
        directives: Directives?,
        listing: Int
    ) throws -> Int {
        let statement = try database.statement(mark.upsert)
        let what = directives ?? Directives(quality: 100)
        try statement.bind([
            .integer(origin), .integer(source), .text(key), .flag(directives == nil),
            .text(what.mode?.rawValue ?? ""), .integer(what.box.width), .integer(what.box.height),
            .integer(what.quality), .text(what.format?.rawValue), .flag(what.enlarge),
            .integer(what.axis.horizontal), .integer(what.axis.vertical), .flag(what.interlace),
            .flag(what.keepsAnimation), .text(what.extra), .integer(listing),
        ])
        defer { statement.reset() }
        guard try statement.step() else {
            preconditionFailure("an upsert with RETURNING gives a row")
        }
        return statement.integer(0)
    }

    /// Begins a plan: of every source that a URL names the bytes are wanted, and what an earlier plan
    /// of this listing has said is forgotten, as the pipeline's variants may be others now.
    func beginPlan(of listing: Int) throws {
        if try setting(.plannedListing) == String(listing) {
            try database.run("UPDATE variant SET wanted = 0 WHERE wanted = ?1", .integer(listing))
            try database.run("UPDATE source SET wanted = 0 WHERE wanted = ?1", .integer(listing))
        }
        try database.run("UPDATE source SET wanted = ?1 WHERE listing = ?1", .integer(listing))
    }

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

    /// Forgets a made file: the variant is due again where it is wanted.
    func forgetFile(ofVariant id: Int) throws {
        try database.statement(
            "UPDATE variant SET version = NULL, file = NULL, bytes = NULL WHERE id = ?1"
        ).run(.integer(id))
        try noteChange()
    }

    func setFailure(_ code: String, _ message: String, ofVariant id: Int, run: Int) throws {
        try database.statement(
            "UPDATE variant SET failure_run = ?1, failure_code = ?2, failure = ?3 WHERE id = ?4"
        ).run(.integer(run), .text(code), .text(message), .integer(id))
    }

    func setAlias(origin: Int, key: String, variant: Int) throws {
        try database.statement(Self.upsertAlias).run(
            .integer(origin),
            .text(key),
            .integer(variant)
        )
        if database.changedRows > 0 { try noteChange() }
    }

    private static let variantsOfSource = """
        SELECT \(VariantRow.columns(isOriginal: "original OR ?3")), wanted = ?2 FROM variant
        WHERE source_id = ?1 AND (wanted = ?2 OR file IS NOT NULL) ORDER BY id
        """

    private static let requestsOfSource = """
        SELECT \(VariantRow.askedColumns), wanted = ?2 FROM variant
        WHERE requested = ?2 AND source_id IN
            (SELECT ?1 UNION ALL SELECT id FROM source WHERE variant_of = ?1) ORDER BY id
        """

    private static let updateMade = """
        UPDATE variant SET version = ?1, work = ?2, run_id = ?3, format = ?4, width = ?5,
            height = ?6, animated = ?7, full_size = ?8, bytes = ?9, file = ?10, failure_run = NULL,
            failure_code = NULL, failure = NULL WHERE id = ?11
        """

    private static let upsertAlias = """
        INSERT INTO alias (origin_id, key, variant_id) VALUES (?1, ?2, ?3)
        ON CONFLICT (origin_id, key) DO UPDATE SET variant_id = excluded.variant_id
        WHERE variant_id <> excluded.variant_id
        """
}

/// Why a variant's row is touched.
enum VariantMark: Sendable {
    /// A URL asks for it.
    case requested
    /// The plan wants it made.
    case wanted

    fileprivate var upsert: String {
        switch self {
        case .requested: Self.upsertRequested
        case .wanted: Self.upsertWanted
        }
    }

    private static let upsertRequested = upsert("requested", updating: "requested = ?16")
    /// Only the plan knows of which bytes a variant is made.
    private static let upsertWanted = upsert("wanted", updating: "wanted = ?16, source_id = ?2")

    private static func upsert(_ column: String, updating update: String) -> String {
        """
        INSERT INTO variant (origin_id, source_id, key, original, mode, box_width, box_height,
            quality, asked_format, enlarge, axis_x, axis_y, interlace, keeps_animation, extra,
            \(column))
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
        ON CONFLICT (origin_id, key) DO UPDATE SET \(update)
        RETURNING id
        """
    }
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
        directives =
            row.flag(2)
            ? nil
            : Directives(
                mode: Mode(rawValue: row.text(3)),
                box: Size(width: row.integer(4), height: row.integer(5)),
                quality: row.integer(6),
                format: row.optionalText(7).flatMap(OutputFormat.init(rawValue:)),
                enlarge: row.flag(8),
                axis: Axis(horizontal: row.integer(9), vertical: row.integer(10)),
                interlace: row.flag(11),
                keepsAnimation: row.flag(12)
            )
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
