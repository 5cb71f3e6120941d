internal import Fetching
internal import GearboxDatabase

/// A source and the original of it that is held.
struct SourceRow: Sendable {
    struct Original: Sendable, Hashable {
        /// SHA-256 of the bytes.
        var version: String
        /// Relative to the cache directory.
        var file: String
        var bytes: Int
        /// The true format's name.
        var format: String
        var validators: Validators
        /// The digest of a manifest that the bytes are known to have.
        var promise: String?
        /// When the data source was last asked; seconds since 1970.
        var checkedAt: Int
    }

    var id: Int
    var originID: Int
    var origin: String
    /// The key of the plain source; for an opaque one its key.
    var path: String
    var isOpaque: Bool
    /// For a variant that its origin renders, whose bytes are this one's original: the source that
    /// it is a variant of.
    var variantOf: Int?
    var url: String
    var host: String
    var hash: String?
    var original: Original?
    var renderedVersion: String?
    /// What the last rendering found.
    var isAnimated: Bool
    var hasAlpha: Bool
    /// The rendering that is known to fail for this original, or the question whose answer counts.
    var failedWork: String?
    /// When that answer was given; seconds since 1970.
    var failedAt: Int?
    var failureCode: String?
    var failure: String?
    /// Where it stands in its host's order: the run that asked last, negative where the rendering of the
    /// answer is owed.
    var turn: Int
    /// The stage of the last failure.
    var failureStage: Stage?
    /// Whether all that is wanted of it is made of the original that is held, and nothing has failed;
    /// read where sources are taken up.
    var isDone: Bool

    /// The run that asked last; 0 where none has.
    var asked: Int { abs(turn) }
}

/// Why a source has nothing new.
struct SourceFailure: Sendable, Hashable {
    var stage: Stage
    var code: String
    var message: String
    var attempts: Int
    /// The rendering that would only fail again, or the question; `nil`: try again next run.
    var work: String?
    /// When the question was answered; seconds since 1970.
    var at: Int?
}

extension StateDatabase {
    /// The origin's row, made where it is new.
    func originID(_ name: String) throws -> Int {
        let found = try database.first("SELECT id FROM origin WHERE name = ?1", .text(name)) {
            $0.integer(0)
        }
        if let found { return found }
        try database.run("INSERT INTO origin (name) VALUES (?1)", .text(name))
        return database.lastInsertedRow
    }

    /// The sources of a listing from one row to another, in their order.
    func sources(listing: Int, from first: Int, through last: Int) throws -> [SourceRow] {
        try database.all(
            Self.sourcesOfListing,
            .integer(listing),
            .integer(first),
            .integer(last),
            read: SourceRow.init(row:)
        )
    }

    /// The source of a path, whether tonight's listing wants it or not.
    func source(origin: String, path: String, isOpaque: Bool) throws -> SourceRow? {
        let row = try database.first("SELECT id FROM origin WHERE name = ?1", .text(origin)) {
            $0.integer(0)
        }
        guard let row else { return nil }
        let kind: SourceName.Kind = isOpaque ? .opaque : .simple
        let name = SourceName(origin: row, path: path, kind: kind)
        guard let known = try knownSource(name) else { return nil }
        return try database.first(
            SourceRow.select + " WHERE source.id = ?1",
            .integer(known.id),
            read: SourceRow.init(row:)
        )
    }

    /// The next sources after `id` whose bytes the plan of a listing wants.
    func wantedSources(listing: Int, after id: Int, limit: Int) throws -> [SourceRow] {
        try database.all(
            Self.sourcesOfPlan,
            .integer(listing),
            .integer(id),
            .integer(limit),
            read: SourceRow.init(row:)
        )
    }

    func countWantedSources(listing: Int) throws -> Int {
        try database.first("SELECT count(*) FROM source WHERE wanted = ?1", .integer(listing)) {
            $0.integer(0)
        } ?? 0
    }

    /// Notes that the plan does not want a source's bytes: what was made of them before does not count.
    func leaveOut(source id: Int) throws {
        try database.statement("UPDATE source SET wanted = 0 WHERE id = ?1").run(.integer(id))
        try forgetRendering(ofSource: id)
    }

    /// Forgets what the last rendering found: the source is as if nothing had been made of it.
    func forgetRendering(ofSource id: Int) throws {
        try database.statement(Self.clearRendering).run(.integer(id))
        if database.changedRows > 0 { try noteChange() }
    }

    func setOriginal(_ original: SourceRow.Original, ofSource id: Int) throws {
        try database.statement(Self.updateOriginal).run(
            .text(original.version),
            .text(original.file),
            .integer(original.bytes),
            .text(original.format),
            .text(original.validators.entityTag),
            .text(original.validators.lastModified),
            .text(original.validators.cacheControl),
            .text(original.validators.fileStamp),
            .integer(original.checkedAt),
            .text(original.promise),
            .integer(id)
        )
    }

    func setFailure(_ failure: SourceFailure?, ofSource id: Int, run: Int) throws {
        guard let failure else {
            return try database.statement(Self.clearFailure).run(.integer(id))
        }
        try database.statement(Self.updateFailure).run(
            .integer(run),
            .text(failure.stage.rawValue),
            .text(failure.code),
            .text(failure.message),
            .integer(failure.attempts),
            .text(failure.work),
            .integer(failure.at),
            .integer(id)
        )
    }

    /// Of an opaque URL an index does not say it.
    func setStale(_ isStale: Bool, ofSource id: Int) throws {
        let isNews = try database.first(Self.updateStale, .flag(isStale), .integer(id)) {
            $0.flag(0)
        }
        if isNews == true { try noteChange() }
    }

    private static let sourcesOfListing = """
        \(SourceRow.select)
        WHERE listing = ?1 AND source.id BETWEEN ?2 AND ?3 ORDER BY source.id
        """

    private static let sourcesOfPlan = """
        \(SourceRow.select)
        WHERE wanted = ?1 AND source.id > ?2 ORDER BY source.id LIMIT ?3
        """

    private static let updateStale = """
        UPDATE source SET stale = ?1 WHERE id = ?2 AND stale <> ?1 RETURNING opaque = 0
        """

    private static let clearRendering = """
        UPDATE source SET rendered_version = NULL, rendered_format = NULL, rendered_bytes = NULL,
            width = NULL, height = NULL, animated = 0, alpha = 0, stale = 0, rendered_set = NULL
        WHERE id = ?1 AND (rendered_version IS NOT NULL OR stale <> 0)
        """

    private static let updateOriginal = """
        UPDATE source SET version = ?1, file = ?2, bytes = ?3, format = ?4, etag = ?5,
            last_modified = ?6, cache_control = ?7, stamp = ?8, checked_at = ?9, promise = ?10
        WHERE id = ?11
        """

    private static let clearFailure = """
        UPDATE source SET failure_run = NULL, failure_stage = NULL, failure_code = NULL,
            failure = NULL, failure_attempts = NULL, failure_work = NULL, failure_at = NULL
        WHERE id = ?1 AND failure_run IS NOT NULL
        """

    private static let updateFailure = """
        UPDATE source SET failure_run = ?1, failure_stage = ?2, failure_code = ?3, failure = ?4,
            failure_attempts = ?5, failure_work = ?6, failure_at = ?7 WHERE id = ?8
        """
}

extension SourceRow {
    /// What a row is read from.
    static let select = "SELECT \(columns()) FROM \(tables)"
    /// All, whatever is said to be done.
    static func columns(isDone: String = "0") -> String {
        """
        source.id, origin.name, path, opaque, url, hash, version, file, bytes, format, etag,
            last_modified, cache_control, stamp, checked_at, rendered_version, failure_work,
            failure_code, failure, source.origin_id, animated, alpha, host, promise, failure_at,
            variant_of, turn, failure_stage, \(isDone)
        """
    }

    static let tables = "source JOIN origin ON origin.id = source.origin_id"

    init(row: Statement) {
        id = row.integer(0)
        origin = row.text(1)
        path = row.text(2)
        isOpaque = row.integer(3) == 1
        url = row.text(4)
        hash = row.optionalText(5)
        if let version = row.optionalText(6), let file = row.optionalText(7) {
            original = Original(
                version: version,
                file: file,
                bytes: row.integer(8),
                format: row.text(9),
                validators: Validators(
                    entityTag: row.optionalText(10),
                    lastModified: row.optionalText(11),
                    cacheControl: row.optionalText(12),
                    fileStamp: row.optionalText(13)
                ),
                promise: row.optionalText(23),
                checkedAt: row.integer(14)
            )
        }
        renderedVersion = row.optionalText(15)
        failedWork = row.optionalText(16)
        failureCode = row.optionalText(17)
        failure = row.optionalText(18)
        originID = row.integer(19)
        isAnimated = row.flag(20)
        hasAlpha = row.flag(21)
        host = row.text(22)
        failedAt = row.optionalInteger(24)
        variantOf = row.optionalInteger(25)
        turn = row.integer(26)
        failureStage = row.optionalText(27).flatMap(Stage.init(rawValue:))
        isDone = row.flag(28)
    }
}
