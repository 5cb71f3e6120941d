package import GearboxDatabase

/// The shape of the published relation index.
///
/// GearboxIndex owns what clients read: the schema, its records, the reuse rule and the lookups. It
/// knows nothing of manifests, fetching or rendering, and imports nothing that a phone lacks.
package enum IndexSchema {
    /// "GEAR", big-endian.
    package static let applicationID = 0x4745_4152
    package static let version = 1

    /// The tables and views that clients read.
    package static let definition = String(
        decoding: PackageResources.index_schema_0001_sql,
        as: UTF8.self
    )

    /// The reuse rule as one query, for clients that have no Swift: `meta` holds it.
    package static let resolveQuery = String(
        decoding: PackageResources.resolve_sql,
        as: UTF8.self
    )

    /// Makes the tables in an empty file.
    ///
    /// Until the connection is closed, rows can be inserted into `source` and `variant` by their
    /// names, a source before its variants: they are packed on the way.
    package static func create(in database: Database) throws(DatabaseError) {
        try database.execute("PRAGMA application_id = \(applicationID)")
        try database.execute("PRAGMA user_version = \(version)")
        try database.execute(definition)
        try database.define("packed_digest", arguments: 1) { PackedFile.digest($0[0]) }
        try database.define("packed_file", arguments: 2) { PackedFile.file($0[0], format: $0[1]) }
        try database.execute(String(decoding: PackageResources.index_packing_sql, as: UTF8.self))
    }

    /// How many sources, variants and aliases an index holds.
    package static func counts(
        in database: Database
    ) throws(DatabaseError) -> (sources: Int, variants: Int, aliases: Int) {
        let counts = try database.first(
            """
            SELECT (SELECT count(*) FROM packed_source), (SELECT count(*) FROM packed_variant),
                (SELECT count(*) FROM alias)
            """
        ) { (sources: $0.integer(0), variants: $0.integer(1), aliases: $0.integer(2)) }
        return counts ?? (0, 0, 0)
    }

    /// Throws where a file is not an index that this build can read.
    package static func check(_ database: Database) throws(IndexError) {
        let application: Int?
        let version: Int?
        do {
            application = try database.first("PRAGMA application_id") { $0.integer(0) }
            version = try database.first("PRAGMA user_version") { $0.integer(0) }
        } catch {
            throw IndexError(database: error)
        }
        guard application == applicationID else {
            throw IndexError(
                code: .notAnIndex,
                subject: database.path,
                message:
                    "this is not a Gearbox index; name the file index.sqlite of a cache directory,"
                    + " or remove it and run the pipeline again"
            )
        }
        guard version == self.version else {
            let isNewer = (version ?? 0) > self.version
            throw IndexError(
                code: .wrongVersion,
                subject: database.path,
                message: "the index has format version \(version ?? 0), this gearbox reads"
                    + " version \(self.version); \(isNewer ? "use the gearbox that made it" : "run the pipeline again")"
            )
        }
    }
}
