internal import GearboxDatabase
internal import GearboxIndex
internal import GearboxURL
internal import System

/// The state into the next index, in a file that no reader sees yet.
struct IndexStage {
    let context: RunContext

    func run() async throws -> Tally {
        try await context.state.run { state in
            var tally = Tally()
            let meta = try PublishedIndex.nextMeta(context, state)
            if try PublishedIndex.isCurrent(context, state, meta) {
                tally.add("unchanged")
                return tally
            }
            let path = PublishedIndex.temporaryPath(context)
            if Files.exists(path) { try Files.remove(path) }
            let draft = try Database(path: path, access: .readWrite)
            // The draft is thrown away if the machine stops: it needs no journal.
            try draft.execute(
                "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -4096"
            )
            try IndexSchema.create(in: draft)
            try draft.run("ATTACH ?1 AS state", .text(state.database.path))
            try draft.transaction {
                try fill(draft, &tally)
                try hideSizes(in: draft)
                try writeRules(of: meta.rules, to: draft)
                try meta.write(to: draft)
            }
            try draft.execute("DETACH state")
            WritePoint.draftWritten.pass()
            // Under the draft's name there is never half an index, so that it can be published later.
            try Files.rename(path, to: PublishedIndex.draftPath(context))
            WritePoint.draftNamed.pass()
            try state.set(.isDrafted, to: "1")
            return tally
        }
    }

    private func fill(_ draft: Database, _ tally: inout Tally) throws {
        try draft.execute(Self.insertOrigins)
        try draft.execute(Self.insertSources)
        // What is wanted now goes before what an earlier night wanted under the same key.
        try draft.execute(Self.insertVariants(areWanted: true))
        try draft.execute(Self.insertVariants(areWanted: false))
        try draft.execute(Self.deleteNameless)
        if context.pipeline.aliases { try draft.execute(Self.insertAliases) }
        let counts = try IndexSchema.counts(in: draft)
        tally.add("sources", counts.sources)
        tally.add("variants", counts.variants)
        if context.pipeline.aliases { tally.add("aliases", counts.aliases) }
    }

    /// Where an origin renders and is not probed, no original tells what its variants are cut from:
    /// only exact keys answer.
    private func hideSizes(in draft: Database) throws {
        for origin in context.pipeline.origins where origin.rendering == .remote(probes: false) {
            try draft.run(Self.clearSizes, .text(origin.name))
        }
    }

    private func writeRules(of rules: CanonicalRules, to draft: Database) throws {
        for origin in rules.origins {
            try draft.run(
                Self.updateOrigin,
                .text(origin.dialect.rawValue),
                .text(IndexMeta.joined(origin.drop)),
                .text(IndexMeta.joined(origin.keep)),
                .text(origin.unknown.rawValue),
                .text(origin.name)
            )
            for host in origin.hosts {
                try draft.run(Self.insertHost, .text(host), .text(origin.name))
            }
        }
        try draft.execute(Self.insertOwnHosts)
    }

    private static let insertOrigins = """
        INSERT INTO origin (id, name) SELECT id, name FROM state.origin
        """
    private static let updateOrigin = """
        UPDATE origin SET dialect = ?1, drop_parameters = ?2, keep_parameters = ?3,
            unknown_parameters = ?4 WHERE name = ?5
        """
    private static let insertHost = """
        INSERT INTO host (name, origin_id) SELECT ?1, id FROM origin WHERE name = ?2
        """
    /// A host that no origin lists is an origin of its own name.
    private static let insertOwnHosts = """
        INSERT OR IGNORE INTO host (name, origin_id)
        SELECT name, id FROM origin WHERE dialect IS NULL
        """
    private static let insertSources = """
        INSERT INTO source (id, origin_id, path, version, width, height, animated, alpha, format,
            bytes, stale)
        SELECT id, origin_id, path, rendered_version, width, height, animated, alpha,
            rendered_format, rendered_bytes, max(stale, coalesce(
                (SELECT max(r.stale) FROM state.source AS r WHERE r.variant_of = s.id), 0))
        FROM state.source AS s
        WHERE opaque = 0 AND (rendered_version IS NOT NULL
            OR EXISTS (SELECT 1 FROM state.variant AS v
                WHERE v.source_id = s.id AND v.file IS NOT NULL)
            OR EXISTS (SELECT 1 FROM state.source AS r JOIN state.variant AS v ON v.source_id = r.id
                WHERE r.variant_of = s.id AND v.file IS NOT NULL))
        ORDER BY id
        """
    /// Only rows of the rendered version: an older one never stands beside a newer one.
    ///
    /// Before the first rendering there are rows only where another made them, and they are served
    /// until then.
    private static func insertVariants(areWanted: Bool) -> String {
        """
        INSERT OR IGNORE INTO variant (id, origin_id, source_id, key, mode, box_width, box_height, quality,
            format, enlarge, extra, width, height, animated, full_size, bytes, file)
        SELECT v.id, v.origin_id, CASE s.opaque WHEN 1 THEN NULL ELSE coalesce(o.id, s.id) END,
            v.key, v.mode, v.box_width, v.box_height, v.quality, v.format, v.enlarge, v.extra,
            v.width, v.height, v.animated, CASE WHEN o.id IS NULL THEN v.full_size ELSE
                coalesce(v.mode <> 'y' AND NOT v.animated
                    AND v.width = o.width AND v.height = o.height, 0) END,
            v.bytes, v.file
        FROM state.keyed_variant AS v JOIN state.source AS s ON s.id = v.source_id
            LEFT JOIN state.source AS o ON o.id = s.variant_of
        WHERE v.file IS NOT NULL AND (v.version = s.rendered_version OR s.rendered_version IS NULL)
            AND (v.wanted = (SELECT CAST(value AS INTEGER) FROM state.setting WHERE name = 'listing'))
                = \(areWanted)
        ORDER BY v.id
        """
    }
    /// Whose key another has.
    private static let deleteNameless = """
        DELETE FROM packed_variant
        WHERE (SELECT count(*) FROM packed_variant) > (SELECT count(*) FROM packed_key)
            AND id NOT IN (SELECT variant_id FROM packed_key)
        """
    private static let clearSizes = """
        UPDATE packed_source SET width = NULL, height = NULL
        WHERE origin_id = (SELECT id FROM origin WHERE name = ?1)
        """
    /// Of the variants that rules have given a raw key, that of the latest rules has it.
    private static let insertAliases = """
        INSERT OR IGNORE INTO alias (origin_id, key, variant_id)
        SELECT s.origin_id,
            CASE f.lead
                WHEN 2 THEN s.path
                WHEN 1 THEN substr(s.path, 1, instr(s.path || '?', '?') - 1) || f.ending
                ELSE f.ending
            END AS raw_key,
            a.variant_id
        FROM state.alias AS a JOIN state.source AS s ON s.id = a.source_id
        JOIN state.alias_form AS f ON f.id = a.alias_form_id
        JOIN packed_variant AS v ON v.id = a.variant_id
        ORDER BY s.origin_id, raw_key, a.since DESC, a.variant_id
        """
}
