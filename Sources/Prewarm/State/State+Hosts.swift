internal import GearboxDatabase

/// The sources whose bytes are wanted, host by host.
extension StateDatabase {
    /// The next sources of a host after `id`.
    func sources(host: String, listing: Int, after id: Int, limit: Int) throws -> [SourceRow] {
        try database.all(
            Self.sourcesOfHost,
            .integer(listing),
            .text(host),
            .integer(id),
            .integer(limit),
            read: SourceRow.init(row:)
        )
    }

    /// The first sources of the host whose name follows, of the first one for `nil`; empty where there
    /// is none.
    func sources(ofHostAfter host: String?, listing: Int, limit: Int) throws -> [SourceRow] {
        let next = try database.first(
            host == nil ? Self.firstHost : Self.nextHost,
            .integer(listing),
            .text(host ?? "")
        ) { $0.optionalText(0) }
        guard let next = next ?? nil else { return [] }
        return try sources(host: next, listing: listing, after: 0, limit: limit)
    }

    private static let sourcesOfHost = """
        \(SourceRow.select)
        WHERE wanted = ?1 AND host = ?2 AND source.id > ?3 ORDER BY source.id LIMIT ?4
        """

    private static let firstHost = """
        SELECT min(host) FROM source WHERE wanted = ?1 AND host >= ?2
        """

    private static let nextHost = """
        SELECT min(host) FROM source WHERE wanted = ?1 AND host > ?2
        """
}
