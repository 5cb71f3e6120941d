internal import GearboxDatabase
internal import GearboxIndex
internal import GearboxURL
internal import Store
internal import System

extension StateDatabase {
    /// Takes up what a published index says, where this state knows nothing: the old one was lost.
    ///
    /// So what clients are served stays served, also what its origin has no more. With which settings
    /// it was made nobody knows then: what is wanted again is due. Nor when it was asked for: it is as
    /// old as the state.
    ///
    /// - Throws: where the index was published by a newer gearbox, also where the state knows it: what
    ///   a newer one has made must not be taken back.
    func restore(fromIndexAt path: String) throws {
        guard Files.exists(path) else { return }
        let index: Database
        let meta: IndexMeta
        do {
            index = try Database(path: path, access: .immutable)
            try IndexSchema.check(index)
            meta = try IndexMeta(from: index)
        } catch let error as IndexError where error.code == .wrongVersion {
            throw error
        } catch {
            // What no client can read is replaced by what this run makes.
            return
        }
        guard try setting(.generation) == nil, try listing() == 0 else { return }
        try transaction {
            try index.forEach("SELECT id, name FROM origin ORDER BY id") { row in
                try database.statement("INSERT INTO origin (id, name) VALUES (?1, ?2)").run(
                    .integer(row.integer(0)),
                    .text(row.text(1))
                )
            }
            try index.forEach(Self.publishedSources, restoreSource)
            let canonicalizer = Canonicalizer(rules: meta.rules)
            try index.forEach(Self.publishedVariants) { row in
                try restoreVariant(row, canonicalizer)
            }
            try index.forEach("SELECT key, variant_id FROM alias") { row in
                try restoreAlias(row.text(0), ofVariant: row.integer(1))
            }
            try noteChange()
            try set(.generation, to: String(meta.generation))
        }
    }

    /// Moves a damaged state away, so that the next run begins another.
    ///
    /// The log goes first: beside a new state it would be taken for that one's.
    ///
    /// - Returns: what to tell of it.
    static func setAside(_ path: String, _ damage: String) throws -> StateError {
        let aside = path + ".damaged"
        try Files.remove(path + "-shm")
        if Files.exists(path + "-wal") { try Files.rename(path + "-wal", to: aside + "-wal") }
        try Files.rename(path, to: aside)
        return StateError(
            path: path,
            message:
                "it is damaged (\(damage)) and was moved to \(aside). Run again: the next run goes"
                + " on from the published index, and makes anew what is wanted"
        )
    }

    private func restoreSource(_ row: Statement) throws {
        let name = SourceName(origin: row.integer(1), path: row.text(2), kind: .simple)
        try database.statement(Self.insertSource).run(
            .integer(row.integer(0)),
            .integer(name.nameHash),
            .integer(name.origin),
            .text(name.path),
            .integer(name.kind.rawValue),
            .text("http://" + row.text(3) + row.text(2)),
            .text(row.text(3)),
            .text(row.optionalText(4)),
            .text(row.optionalText(5)),
            .integer(row.optionalInteger(6)),
            .integer(row.optionalInteger(7)),
            .integer(row.optionalInteger(8)),
            .flag(row.flag(9)),
            .flag(row.flag(10)),
            .flag(row.flag(11))
        )
    }

    private func restoreAlias(_ key: String, ofVariant variant: Int) throws {
        let source = try database.first(Self.sourceOfVariant, .integer(variant)) {
            (id: $0.integer(0), path: $0.text(1))
        }
        guard let source else { return }
        _ = try setAlias(
            source: source.id,
            aliasForm: try aliasFormID(KeyEnding(of: key, path: source.path)),
            variant: variant,
            since: 0
        )
    }

    private func restoreVariant(_ row: Statement, _ canonicalizer: Canonicalizer) throws {
        let key = row.text(3)
        let url = "http://" + row.text(4) + key
        let source: Int
        var directives: Directives?
        if let known = row.optionalInteger(2) {
            guard let request = try? canonicalizer.request(for: url), request.key == key else {
                return
            }
            source = known
            directives = request.directives
        } else {
            source = try restoreOpaqueSource(row, key: key, url: url)
        }
        let path = row.optionalText(13) ?? key
        let file = row.text(12)
        try database.statement(Self.insertVariant).run(
            .integer(row.integer(0)),
            .integer(source),
            .integer(try formID(KeyEnding(of: key, path: path), directives)),
            .text(row.optionalText(5) ?? Store.digest(named: file) ?? ""),
            .text(row.text(6)),
            .integer(row.optionalInteger(7)),
            .integer(row.optionalInteger(8)),
            .flag(row.flag(9)),
            .flag(row.flag(10)),
            .integer(row.integer(11)),
            .text(file)
        )
    }

    /// The published index has no source for it: an opaque one is its variant's own bytes.
    private func restoreOpaqueSource(_ row: Statement, key: String, url: String) throws -> Int {
        let name = SourceName(origin: row.integer(1), path: key, kind: .opaque)
        let digest = Store.digest(named: row.text(12)) ?? ""
        try database.statement(Self.insertSource).run(
            nil,
            .integer(name.nameHash),
            .integer(name.origin),
            .text(key),
            .integer(name.kind.rawValue),
            .text(url),
            .text(row.text(4)),
            .text(digest),
            .text(row.text(6)),
            .integer(row.integer(11)),
            .integer(row.optionalInteger(7)),
            .integer(row.optionalInteger(8)),
            .flag(row.flag(9)),
            .flag(false),
            .flag(false)
        )
        return database.lastInsertedRow
    }

    private static let host = """
        coalesce((SELECT min(name) FROM host WHERE host.origin_id = o.id), o.name)
        """
    private static let publishedSources = """
        SELECT s.id, s.origin_id, s.path, \(host), s.version, s.format, s.bytes, s.width, s.height,
            s.animated, s.alpha, s.stale
        FROM source AS s JOIN origin AS o ON o.id = s.origin_id ORDER BY s.id
        """
    private static let publishedVariants = """
        SELECT v.id, v.origin_id, v.source_id, v.key, \(host), s.version, v.format, v.width,
            v.height, v.animated, v.full_size, v.bytes, v.file, s.path
        FROM variant AS v JOIN origin AS o ON o.id = v.origin_id
        LEFT JOIN source AS s ON s.id = v.source_id ORDER BY v.id
        """
    private static let insertSource = """
        INSERT INTO source (id, name_hash, origin_id, path, opaque, url, host, rendered_version,
            rendered_format, rendered_bytes, width, height, animated, alpha, stale, listing,
            seen_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, 0,
            CAST(strftime('%s', 'now') AS INTEGER))
        """
    private static let insertVariant = """
        INSERT INTO variant (id, source_id, form_id, version, format, width, height, animated,
            full_size, bytes, file)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
        """
    private static let sourceOfVariant = """
        SELECT s.id, s.path FROM variant AS v JOIN source AS s ON s.id = v.source_id WHERE v.id = ?1
        """
}
