internal import GearboxDatabase

/// Which sources a listing names.
extension StateDatabase {
    /// Notes that a source is wanted in this listing.
    ///
    /// The first URL of a listing is the one fetched.
    ///
    /// - Returns: its row, and the hash that counts: the first of the listing.
    func want(
        _ name: SourceName,
        url: String,
        host: String,
        hash: String?,
        listing: Int,
        night: Int,
        at seconds: Int
    ) throws -> (id: Int, hash: String?) {
        guard let known = try knownSource(name) else {
            try database.statement(Self.insertSource).run(
                .integer(name.nameHash),
                .integer(name.origin),
                .text(name.path),
                .integer(name.kind.rawValue),
                .text(url),
                .text(host),
                .text(hash),
                .integer(listing),
                nil,
                .integer(listing),
                .integer(seconds),
                .integer(night)
            )
            return (database.lastInsertedRow, hash)
        }
        if known.listing == listing {
            if known.hash == nil, let hash {
                try database.run(
                    "UPDATE source SET hash = ?1 WHERE id = ?2",
                    .text(hash),
                    .integer(known.id)
                )
            }
            return (known.id, known.hash ?? hash)
        }
        try database.statement(Self.updateSource).run(
            .text(url),
            .text(host),
            .text(hash),
            .integer(listing),
            .integer(known.id),
            .integer(seconds),
            .integer(night)
        )
        return (known.id, hash)
    }

    /// Notes how often the lines of a listing say that a source was asked for: those of the listing
    /// alone, also where it is planned again.
    func setHits(_ hits: Int, ofSource id: Int) throws {
        try database.statement("UPDATE source SET hits = ?1 WHERE id = ?2 AND hits <> ?1").run(
            .integer(hits),
            .integer(id)
        )
    }

    /// Notes that the bytes of a source's variant are wanted.
    ///
    /// - Returns: the row of the variant's own source.
    func wantRemote(key: String, url: String, of source: SourceRow, listing: Int) throws -> Int {
        let name = SourceName(origin: source.originID, path: key, kind: .remoteVariant)
        if let known = try knownSource(name) {
            try database.statement(Self.updateRemote).run(
                .text(url),
                .text(source.host),
                .integer(source.id),
                .integer(listing),
                .integer(known.id)
            )
            return known.id
        }
        try database.statement(Self.insertSource).run(
            .integer(name.nameHash),
            .integer(name.origin),
            .text(key),
            .integer(name.kind.rawValue),
            .text(url),
            .text(source.host),
            nil,
            0,
            .integer(source.id),
            .integer(listing),
            0,
            0
        )
        return database.lastInsertedRow
    }

    /// The row of a name, the last listing that named it, and the hash that counts.
    func knownSource(
        _ name: SourceName
    ) throws -> (id: Int, listing: Int, hash: String?)? {
        try database.first(
            Self.sourceOfName,
            .integer(name.nameHash),
            .integer(name.origin),
            .integer(name.kind.rawValue),
            .text(name.path)
        ) { ($0.integer(0), $0.integer(1), $0.optionalText(2)) }
    }

    private static let sourceOfName = """
        SELECT id, listing, hash FROM source
        WHERE name_hash = ?1 AND origin_id = ?2 AND opaque = ?3 AND path = ?4
        """
    private static let insertSource = """
        INSERT INTO source (name_hash, origin_id, path, opaque, url, host, hash, listing, variant_of,
            wanted, seen_at, first_night, night)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?12)
        """
    private static let updateSource = """
        UPDATE source SET url = ?1, host = ?2, hash = ?3, listing = ?4, wanted = ?4,
            \(seen(night: "?7", at: "?6")) WHERE id = ?5
        """

    /// What eviction goes by, of a source that a night names.
    static func seen(night: String, at seconds: String) -> String {
        """
        nights = nights + (night <> \(night)),
            earlier_hits = CASE night WHEN \(night) THEN earlier_hits
                ELSE (earlier_hits + hits) / 2 END,
            night = \(night), seen_at = \(seconds)
        """
    }
    private static let updateRemote = """
        UPDATE source SET url = ?1, host = ?2, variant_of = ?3, wanted = ?4 WHERE id = ?5
        """
}
