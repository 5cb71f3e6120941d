internal import GearboxDatabase
package import GearboxIndex

/// How often a cache directory's variants were asked for, by the manifests that its last run read.
package enum RequestHits {
    /// - Returns: the variants that were asked for; `nil` where the directory has no state, as a copy
    ///   without it.
    package static func read(cache: String) throws -> [VariantHits]? {
        try StateDatabase.looked(atCache: cache)?.hits()
    }
}

extension StateDatabase {
    fileprivate func hits() throws -> [VariantHits] {
        try database.all(Self.selectHits) {
            VariantHits(origin: $0.text(0), key: $0.text(1), hits: $0.integer(2))
        }
    }

    private static let selectHits = """
        SELECT o.name, v.key, e.hits
        FROM (SELECT a.variant_id, sum(entry.hits) AS hits
            FROM asked_variant AS a JOIN entry ON entry.id = a.entry_id
            WHERE a.variant_id IS NOT NULL GROUP BY a.variant_id) AS e
        JOIN keyed_variant AS v ON v.id = e.variant_id JOIN origin AS o ON o.id = v.origin_id
        """
}
