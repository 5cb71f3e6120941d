package import GearboxDatabase

/// The shape of the published relation index.
///
/// GearboxIndex owns what clients read: the schema, its records, the reuse rule and the lookups. It
/// knows nothing of manifests, fetching or rendering, and imports nothing that a phone lacks.
package enum IndexSchema {
    /// "GEAR", big-endian.
    package static let applicationID = 0x4745_4152
    package static let version = 1

    /// Makes the tables in an empty file.
    package static func create(in database: Database) throws(DatabaseError) {
        try database.execute("PRAGMA application_id = \(applicationID)")
        try database.execute("PRAGMA user_version = \(version)")
        try database.execute(
            String(decoding: PackageResources.index_schema_0001_sql, as: UTF8.self)
        )
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
                message: "this is not a Gearbox index"
            )
        }
        guard version == self.version else {
            throw IndexError(
                code: .wrongVersion,
                subject: database.path,
                message: "the index has format version \(version ?? 0), this gearbox reads"
                    + " version \(self.version); use the gearbox that made it, or run again"
            )
        }
    }
}
