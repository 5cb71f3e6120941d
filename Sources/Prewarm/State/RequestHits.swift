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
        FROM (SELECT variant_id, sum(hits) AS hits FROM entry WHERE variant_id IS NOT NULL
            GROUP BY variant_id) AS e
        JOIN variant AS v ON v.id = e.variant_id JOIN origin AS o ON o.id = v.origin_id
        """
}
