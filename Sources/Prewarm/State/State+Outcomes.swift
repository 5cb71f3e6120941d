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
    /// How many lines have come to what, the commonest reasons first.
    func countOutcomes(run: Int, listing: Int) throws -> [OutcomeCount] {
        // Most lines have come to one of three; only the others are worth being sorted.
        let common = try database.first(Self.countCommon, .integer(run), .integer(listing)) { row in
            (
                counts: [
                    OutcomeCount(outcome: .produced, lines: row.integer(0)),
                    OutcomeCount(outcome: .reused, lines: row.integer(1)),
                    OutcomeCount(outcome: .skipped, code: Self.notReached, lines: row.integer(2)),
                ],
                all: row.integer(3)
            )
        }
        guard let common else { return [] }
        var counts = common.counts.filter { $0.lines > 0 }
        if counts.reduce(0, { $0 + $1.lines }) < common.all {
            counts += try database.all(Self.countOthers, .integer(run), .integer(listing)) { row in
                OutcomeCount(
                    outcome: RunReport.Outcome(rawValue: row.text(0)) ?? .failed,
                    code: row.text(1),
                    lines: row.integer(2)
                )
            }
        }
        return counts.sorted {
            ($0.outcome.rawValue, $1.lines, $0.code ?? "")
                < ($1.outcome.rawValue, $0.lines, $1.code ?? "")
        }
    }

    /// The reasons of what was not produced, the commonest first, each with the first lines of
    /// `samples` images.
    func reasons(
        _ counts: [OutcomeCount],
        run: Int,
        listing: Int,
        samples: Int
    ) throws -> [RunReport.Reason] {
        try counts.compactMap { count in
            guard let code = count.code else { return nil }
            let lines = try database.all(
                Self.verdictSamples,
                .integer(run),
                .integer(listing),
                .text(count.outcome.rawValue),
                .text(code),
                .integer(samples)
            ) { $0.integer(0) }
            return RunReport.Reason(
                outcome: count.outcome,
                code: code,
                count: count.lines,
                samples: try lines.compactMap { try sample(entry: $0, run: run, listing: listing) }
            )
        }
    }

    private func sample(entry: Int, run: Int, listing: Int) throws -> RunReport.Sample? {
        try entryOutcomes(run: run, listing: listing, after: entry - 1, limit: 1).first.map {
            RunReport.Sample(
                manifest: $0.outcome.manifest,
                line: $0.outcome.line,
                url: $0.outcome.url,
                message: $0.outcome.message ?? ""
            )
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

    /// What became of a line: ?1 is the run, ?2 the listing; e is the line, v and s are what it asks
    /// for.
    ///
    /// One text decides, so that the counts, the reasons and the list always agree.
    private static let verdict = """
        CASE
            WHEN e.problem_code = '\(LineProblem.dataCode)' THEN 'skipped'
            WHEN e.problem_code IS NOT NULL THEN 'failed'
            WHEN v.id IS NULL OR \(isNotPlanned) THEN 'skipped'
            WHEN s.failure_run = ?1 OR v.failure_run = ?1 THEN 'failed'
            WHEN v.wanted <> ?2 THEN 'skipped'
            WHEN v.file IS NULL OR v.version IS NOT s.rendered_version THEN 'skipped'
            WHEN v.run_id = ?1 THEN 'produced'
            ELSE 'reused'
        END AS outcome,
        CASE
            WHEN e.problem_code IS NOT NULL THEN e.problem_code
            WHEN v.id IS NULL OR \(isNotPlanned) THEN '\(notReached)'
            WHEN s.failure_run = ?1 THEN s.failure_code
            WHEN v.failure_run = ?1 THEN v.failure_code
            WHEN v.wanted <> ?2 THEN 'not-in-variants'
            WHEN v.file IS NULL AND s.evicted = ?1 THEN 'evicted'
            WHEN v.file IS NULL OR v.version IS NOT s.rendered_version THEN '\(notReached)'
        END AS code
        """

    private static let outcomes = """
        SELECT e.id, m.path AS manifest, e.line, e.url, \(verdict),
            CASE
                WHEN e.problem_code IS NOT NULL THEN e.problem
                WHEN v.id IS NULL OR \(isNotPlanned)
                THEN 'the run ended before it was planned'
                WHEN s.failure_run = ?1 THEN s.failure
                WHEN v.failure_run = ?1 THEN v.failure
                WHEN v.wanted <> ?2 THEN 'the pipeline''s variants do not make it'
                WHEN v.file IS NULL AND s.evicted = ?1
                THEN 'its variants are more than the budget allows; the next run makes them again'
                WHEN v.file IS NULL OR v.version IS NOT s.rendered_version
                THEN 'the run ended before it was made'
            END AS message,
            CASE WHEN s.failure_run = ?1 THEN s.failure_attempts END AS attempts,
            (SELECT k.key FROM keyed_variant AS k WHERE k.id = v.id) AS key,
            CASE WHEN v.version = s.rendered_version THEN v.file END AS file
        FROM entry AS e
        JOIN manifest AS m ON m.id = e.manifest_id
        LEFT JOIN asked_variant AS a ON a.entry_id = e.id
        LEFT JOIN variant AS v ON v.id = a.variant_id
        LEFT JOIN source AS s ON s.id = v.source_id
        """

    /// The same of all lines: those that ask for one variant are one row, as there are very many lines.
    private static let verdicts = """
        SELECT \(verdict), v.lines AS lines, v.first_entry AS entry_id
        FROM variant AS v JOIN source AS s ON s.id = v.source_id
        JOIN (SELECT NULL AS problem_code) AS e
        WHERE v.requested = ?2 AND v.lines > 0 AND NOT (\(isNotPlanned))
        UNION ALL
        SELECT \(verdict), 1, e.id
        FROM entry AS e LEFT JOIN variant AS v ON v.id = -1 LEFT JOIN source AS s ON s.id = -1
        WHERE e.problem_code IS NOT NULL
        UNION ALL
        SELECT \(verdict), 1, e.id
        FROM entry AS e LEFT JOIN variant AS v ON v.id = -1 LEFT JOIN source AS s ON s.id = -1
        WHERE e.problem_code IS NULL AND \(isNotPlanned)
        """

    /// The plan may be one that is kept: before a run has come to it, it is as if it were not made.
    private static let isNotPlanned = """
        ((SELECT value FROM setting WHERE name = 'plannedListing') IS NOT CAST(?2 AS TEXT)
        OR coalesce((SELECT max(position) FROM stage WHERE run_id = ?1) < \(Stage.plan.position), 0))
        """

    private static let notReached = "not-reached"

    private static let countCommon = """
        SELECT sum(lines) FILTER (WHERE outcome = 'produced'),
            sum(lines) FILTER (WHERE outcome = 'reused'),
            sum(lines) FILTER (WHERE code = '\(notReached)'), sum(lines)
        FROM (\(verdicts))
        """

    private static let countOthers = """
        SELECT outcome, code, sum(lines) FROM (\(verdicts))
        WHERE code IS NOT NULL AND code <> '\(notReached)' GROUP BY outcome, code
        """

    private static let verdictSamples = """
        SELECT entry_id FROM (\(verdicts)) WHERE outcome = ?3 AND code = ?4
        ORDER BY entry_id LIMIT ?5
        """
}

/// How many lines have come to the same, for the same reason.
struct OutcomeCount: Sendable {
    var outcome: RunReport.Outcome
    var code: String?
    var lines: Int
}
