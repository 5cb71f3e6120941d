internal import GearboxDatabase

/// A line of a manifest and what became of it.
package struct EntryOutcome: Sendable, Hashable {
    package var manifest: String
    package var line: Int
    package var url: String
    package var outcome: RunReport.Outcome
    /// The word for why it was skipped or failed.
    package var code: String?
    package var message: String?
    package var attempts: Int?
    /// The variant's key.
    package var key: String?
    /// The variant's file, relative to the cache directory.
    package var file: String?
}

extension StateDatabase {
    func countOutcomes(run: Int, listing: Int) throws -> [RunReport.Outcome: Int] {
        let rows = try database.all(
            "SELECT outcome, count(*) FROM (\(Self.outcomes)) GROUP BY outcome",
            .integer(run),
            .integer(listing)
        ) { (RunReport.Outcome(rawValue: $0.text(0)), $0.integer(1)) }
        var counts: [RunReport.Outcome: Int] = [:]
        for (outcome, count) in rows { if let outcome { counts[outcome] = count } }
        return counts
    }

    /// The reasons of what was not produced, the commonest first, each with `samples` lines.
    func reasons(run: Int, listing: Int, samples: Int) throws -> [RunReport.Reason] {
        let rows = try database.all(
            Self.countReasons,
            .integer(run),
            .integer(listing)
        ) { row in
            RunReport.Reason(
                outcome: RunReport.Outcome(rawValue: row.text(0)) ?? .failed,
                code: row.text(1),
                count: row.integer(2),
                samples: []
            )
        }
        return try rows.map { reason in
            var reason = reason
            reason.samples = try database.all(
                Self.reasonSamples,
                .integer(run),
                .integer(listing),
                .text(reason.outcome.rawValue),
                .text(reason.code),
                .integer(samples)
            ) { row in
                RunReport.Sample(
                    manifest: row.text(0),
                    line: row.integer(1),
                    url: row.text(2),
                    message: row.text(3)
                )
            }
            return reason
        }
    }

    /// The next lines after `id` with what became of them, in manifest order.
    func entryOutcomes(
        run: Int,
        listing: Int,
        after id: Int,
        limit: Int
    ) throws -> [(id: Int, outcome: EntryOutcome)] {
        try database.all(
            "SELECT * FROM (\(Self.outcomes)) WHERE id > ?3 ORDER BY id LIMIT ?4",
            .integer(run),
            .integer(listing),
            .integer(id),
            .integer(limit)
        ) { row in
            let outcome = EntryOutcome(
                manifest: row.text(1),
                line: row.integer(2),
                url: row.text(3),
                outcome: RunReport.Outcome(rawValue: row.text(4)) ?? .failed,
                code: row.optionalText(5),
                message: row.optionalText(6),
                attempts: row.optionalInteger(7),
                key: row.optionalText(8),
                file: row.optionalText(9)
            )
            return (row.integer(0), outcome)
        }
    }

    func madeInRun(_ run: Int) throws -> (variants: Int, bytes: Int) {
        try database.first(
            "SELECT count(*), coalesce(sum(bytes), 0) FROM variant WHERE run_id = ?1",
            .integer(run)
        ) { ($0.integer(0), $0.integer(1)) } ?? (0, 0)
    }

    /// What became of each line: ?1 is the run, ?2 the listing.
    ///
    /// One query decides, so that the counts, the reasons and the list always agree.
    private static let outcomes = """
        SELECT e.id, m.path AS manifest, e.line, e.url,
            CASE
                WHEN e.problem_code = '\(LineProblem.dataCode)' THEN 'skipped'
                WHEN e.problem_code IS NOT NULL THEN 'failed'
                WHEN e.variant_id IS NULL OR \(isNotPlanned) THEN 'skipped'
                WHEN s.failure_run = ?1 OR v.failure_run = ?1 THEN 'failed'
                WHEN v.wanted <> ?2 THEN 'skipped'
                WHEN v.file IS NULL OR v.version IS NOT s.rendered_version THEN 'skipped'
                WHEN v.run_id = ?1 THEN 'produced'
                ELSE 'reused'
            END AS outcome,
            CASE
                WHEN e.problem_code IS NOT NULL THEN e.problem_code
                WHEN e.variant_id IS NULL OR \(isNotPlanned) THEN 'not-reached'
                WHEN s.failure_run = ?1 THEN s.failure_code
                WHEN v.failure_run = ?1 THEN v.failure_code
                WHEN v.wanted <> ?2 THEN 'not-in-variants'
                WHEN v.file IS NULL AND s.evicted = ?2 THEN 'evicted'
                WHEN v.file IS NULL OR v.version IS NOT s.rendered_version THEN 'not-reached'
            END AS code,
            CASE
                WHEN e.problem_code IS NOT NULL THEN e.problem
                WHEN e.variant_id IS NULL OR \(isNotPlanned)
                THEN 'the run ended before it was planned'
                WHEN s.failure_run = ?1 THEN s.failure
                WHEN v.failure_run = ?1 THEN v.failure
                WHEN v.wanted <> ?2 THEN 'the pipeline''s variants do not make it'
                WHEN v.file IS NULL AND s.evicted = ?2
                THEN 'its variants are more than the budget allows; the next run makes them again'
                WHEN v.file IS NULL OR v.version IS NOT s.rendered_version
                THEN 'the run ended before it was made'
            END AS message,
            CASE WHEN s.failure_run = ?1 THEN s.failure_attempts END AS attempts, v.key,
            CASE WHEN v.version = s.rendered_version THEN v.file END AS file
        FROM entry AS e
        JOIN manifest AS m ON m.id = e.manifest_id
        LEFT JOIN variant AS v ON v.id = e.variant_id
        LEFT JOIN source AS s ON s.id = v.source_id
        """

    private static let isNotPlanned = """
        (SELECT value FROM setting WHERE name = 'plannedListing') IS NOT CAST(?2 AS TEXT)
        """

    private static let countReasons = """
        SELECT outcome, code, count(*) FROM (\(outcomes)) WHERE code IS NOT NULL
        GROUP BY outcome, code ORDER BY outcome, count(*) DESC, code
        """

    private static let reasonSamples = """
        SELECT manifest, line, url, message FROM (\(outcomes))
        WHERE outcome = ?3 AND code = ?4 ORDER BY id LIMIT ?5
        """
}
