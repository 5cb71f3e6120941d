internal import GearboxDatabase

extension StateDatabase {
    /// Forgets all about a source; its files go at once.
    func remove(_ source: SourceRow, for url: String) throws -> Removal.Removed {
        var removed = Removal.Removed(url: url, key: source.path)
        let id = Value.integer(source.id)
        removed.isWanted = try database.first(Self.isWanted, id) { $0.flag(0) } ?? false
        try database.run(Self.retireFiles, id)
        try database.run(Self.retireOriginal, id)
        try database.run(Self.deleteRequests, id)
        try database.run(Self.deleteAliases, id)
        removed.aliases = database.changedRows
        try database.run(Self.deleteVariants, id)
        removed.variants = database.changedRows
        try database.run(Self.deleteSources, id)
        try forgetDone()
        try noteChange()
        return removed
    }

    private static let isWanted = """
        SELECT listing = (SELECT CAST(value AS INTEGER) FROM setting WHERE name = 'listing')
        FROM source WHERE id = ?1
        """
    private static let retireFiles = """
        INSERT INTO retired (file, at_once) SELECT DISTINCT file, 1 FROM variant
        WHERE source_id IN \(family) AND file IS NOT NULL
        ON CONFLICT (file) DO UPDATE SET at_once = 1
        """
    private static let retireOriginal = """
        INSERT INTO retired (file, at_once) SELECT file, 1 FROM source
        WHERE id IN \(family) AND file IS NOT NULL
        ON CONFLICT (file) DO UPDATE SET at_once = 1
        """
    private static let deleteRequests = """
        DELETE FROM request WHERE source_id = ?1
        """
    private static let deleteAliases = """
        DELETE FROM alias WHERE source_id = ?1
        """
    private static let deleteVariants = "DELETE FROM variant WHERE source_id IN \(family)"
    private static let deleteSources = "DELETE FROM source WHERE id IN \(family)"
}
