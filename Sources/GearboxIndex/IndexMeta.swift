package import GearboxDatabase
package import GearboxURL

/// What the index says of itself: how its run canonicalised, when and by what it was made.
package struct IndexMeta: Hashable, Sendable {
    package var rules: CanonicalRules
    /// The pipeline's steps as text; empty where there are none.
    package var steps: String
    /// Counts published indexes of one cache directory, from 1.
    package var generation: Int
    /// UTC, ISO 8601.
    package var builtAt: String
    /// The version of the gearbox that wrote it.
    package var version: String

    package init(
        rules: CanonicalRules,
        steps: String,
        generation: Int,
        builtAt: String,
        version: String
    ) {
        self.rules = rules
        self.steps = steps
        self.generation = generation
        self.builtAt = builtAt
        self.version = version
    }

    /// Writes the `meta` rows; the rules of the origins are columns of `origin`.
    package func write(to database: Database) throws(DatabaseError) {
        let rows: [(String, String)] = [
            ("sizes", Self.list(rules.sizes.gears)),
            ("overflow", rules.sizes.overflow.rawValue),
            ("qualities", Self.list(rules.qualities.gears)),
            ("default_quality", String(rules.qualities.defaultQuality)),
            ("default_dialect", rules.defaultDialect.rawValue),
            ("default_scheme", rules.defaultScheme ?? ""),
            ("steps", steps),
            ("generation", String(generation)),
            ("built_at", builtAt),
            ("version", version),
            ("resolve_sql", IndexSchema.resolveQuery),
        ]
        for (name, value) in rows {
            try database.run(Self.insert, .text(name), .text(value))
        }
    }

    /// Reads the rules back as the run had them.
    package init(from database: Database) throws(IndexError) {
        var values: [String: String] = [:]
        do {
            for (name, value) in try database.all(Self.select, read: { ($0.text(0), $0.text(1)) }) {
                values[name] = value
            }
        } catch {
            throw IndexError(database: error)
        }
        let origins = try Self.origins(in: database)
        func invalid(_ name: String) -> IndexError {
            let value = values[name].map { "\"\($0)\"" } ?? "missing"
            return IndexError(
                code: .invalidMeta,
                subject: database.path,
                message: "its table meta does not say how to canonicalise: \(name) is \(value); "
                    + "publish it again"
            )
        }
        guard let sizes = Self.integers(values["sizes"], in: SizeLadder.range) else {
            throw invalid("sizes")
        }
        guard let overflow = Overflow(rawValue: values["overflow"] ?? "") else {
            throw invalid("overflow")
        }
        guard let qualities = Self.integers(values["qualities"], in: QualityLadder.range) else {
            throw invalid("qualities")
        }
        guard let defaultQuality = Int(values["default_quality"] ?? ""),
            QualityLadder.range.contains(defaultQuality)
        else { throw invalid("default_quality") }
        guard let dialect = DialectName(rawValue: values["default_dialect"] ?? "") else {
            throw invalid("default_dialect")
        }
        let scheme = values["default_scheme"] ?? ""
        guard ["", "http", "https"].contains(scheme) else { throw invalid("default_scheme") }
        guard let generation = Int(values["generation"] ?? "") else { throw invalid("generation") }
        self.init(
            rules: CanonicalRules(
                sizes: SizeLadder(gears: sizes, overflow: overflow),
                qualities: QualityLadder(gears: qualities, defaultQuality: defaultQuality),
                origins: origins,
                defaultDialect: dialect,
                defaultScheme: scheme.isEmpty ? nil : scheme
            ),
            steps: values["steps"] ?? "",
            generation: generation,
            builtAt: values["built_at"] ?? "",
            version: values["version"] ?? ""
        )
    }

    private static func origins(in database: Database) throws(IndexError) -> [OriginRules] {
        var hosts: [String: [String]] = [:]
        let rows: [OriginRow]
        do {
            for (origin, host) in try database.all(selectHosts, read: { ($0.text(0), $0.text(1)) })
            {
                hosts[origin, default: []].append(host)
            }
            rows = try database.all(selectOrigins) { row in
                OriginRow(
                    name: row.text(0),
                    dialect: row.text(1),
                    drop: row.text(2),
                    keep: row.text(3),
                    unknown: row.text(4)
                )
            }
        } catch {
            throw IndexError(database: error)
        }
        var origins: [OriginRules] = []
        for row in rows {
            guard let dialect = DialectName(rawValue: row.dialect),
                let unknown = OriginRules.UnknownParameters(rawValue: row.unknown)
            else {
                throw IndexError(
                    code: .invalidMeta,
                    subject: database.path,
                    message: "how it reads the URLs of origin \"\(row.name)\" is not known here "
                        + "(\"\(row.dialect)\", \"\(row.unknown)\"); publish it again, or open it "
                        + "with the version that wrote it"
                )
            }
            origins.append(
                OriginRules(
                    name: row.name,
                    hosts: hosts[row.name] ?? [],
                    dialect: dialect,
                    drop: words(row.drop),
                    keep: words(row.keep),
                    unknown: unknown
                )
            )
        }
        return origins
    }

    /// A row of `origin`, not yet understood.
    private struct OriginRow {
        var name: String
        var dialect: String
        var drop: String
        var keep: String
        var unknown: String
    }

    /// Parameter patterns hold no space (it is `%20` in a URL), so a space separates them.
    package static func joined(_ patterns: [String]) -> String {
        patterns.joined(separator: " ")
    }

    private static func words(_ text: String) -> [String] {
        text.split(separator: " ").map(String.init)
    }

    private static func list(_ integers: [Int]) -> String {
        integers.map(String.init).joined(separator: ",")
    }

    /// The numbers of a list, at least one; `nil` where one of them is none or out of its range.
    private static func integers(_ text: String?, in range: ClosedRange<Int>) -> [Int]? {
        let parts = (text ?? "").split(separator: ",", omittingEmptySubsequences: false)
        let integers = parts.compactMap { Int($0) }.filter(range.contains)
        return integers.count == parts.count ? integers : nil
    }

    private static let insert = "INSERT INTO meta (name, value) VALUES (?1, ?2)"
    private static let select = "SELECT name, value FROM meta"
    private static let selectOrigins = """
        SELECT name, dialect, drop_parameters, keep_parameters, unknown_parameters FROM origin
        WHERE dialect IS NOT NULL ORDER BY id
        """
    private static let selectHosts = """
        SELECT origin.name, host.name FROM host JOIN origin ON origin.id = host.origin_id
        WHERE origin.dialect IS NOT NULL ORDER BY host.name
        """
}
