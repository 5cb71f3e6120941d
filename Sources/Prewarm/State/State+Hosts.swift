internal import GearboxDatabase

/// The sources whose bytes are wanted, host by host.
extension StateDatabase {
    /// The next sources of a host after `last`, those that `run` has asked left out.
    ///
    /// Of each is said whether nothing of it is due, where this run has looked.
    func sources(
        host: String,
        listing: Int,
        after last: SourcePlace,
        run: Int,
        limit: Int
    ) throws -> [SourceRow] {
        try database.all(
            Self.sourcesOfHost(isDueKnown: isDueKnown),
            .integer(listing),
            .text(host),
            .integer(last.turn),
            .integer(last.id),
            .integer(run),
            .integer(limit),
            read: SourceRow.init(row:)
        )
    }

    /// The first sources of the host whose name follows, of the first one for `nil`; empty where there
    /// is none.
    ///
    /// - Returns: the host and its sources; `nil` behind the last host.
    func sources(
        ofHostAfter host: String?,
        listing: Int,
        run: Int,
        limit: Int
    ) throws -> (host: String, rows: [SourceRow])? {
        let next = try database.first(
            host == nil ? Self.firstHost : Self.nextHost,
            .integer(listing),
            .text(host ?? "")
        ) { $0.optionalText(0) }
        guard let next = next ?? nil else { return nil }
        let rows = try sources(host: next, listing: listing, after: .first, run: run, limit: limit)
        return (next, rows)
    }

    private static func sourcesOfHost(isDueKnown: Bool) -> String {
        """
        SELECT \(SourceRow.columns(isDone: isDueKnown ? isDone : "0")) FROM \(SourceRow.tables)
        WHERE wanted = ?1 AND host = ?2 AND (turn, source.id) > (?3, ?4) AND turn < ?5
        ORDER BY turn, source.id LIMIT ?6
        """
    }

    private static let isDone = """
        version = rendered_version AND failure_run IS NULL AND stale = 0
            AND source.id NOT IN (SELECT id FROM temp.due_source)
        """

    private static let firstHost = """
        SELECT min(host) FROM source WHERE wanted = ?1 AND host >= ?2
        """

    private static let nextHost = """
        SELECT min(host) FROM source WHERE wanted = ?1 AND host > ?2
        """
}

/// Where a source stands among those of its host.
struct SourcePlace: Sendable {
    var turn: Int
    var id: Int

    /// Before all of them.
    static let first = SourcePlace(turn: .min, id: 0)
}
