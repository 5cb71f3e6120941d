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
        ]
        for (name, value) in rows {
            try database.run(Self.insert, .text(name), .text(value))
        }
    }

    /// Reads the rules back as the run had them.
    package init(from database: Database) throws(IndexError) {
        var values: [String: String] = [:]
        let origins: [OriginRules]
        do {
            for (name, value) in try database.all(Self.select, read: { ($0.text(0), $0.text(1)) }) {
                values[name] = value
            }
            origins = try Self.origins(in: database)
        } catch {
            throw IndexError(database: error)
        }
        let sizes = Self.integers(values["sizes"])
        let qualities = Self.integers(values["qualities"])
        guard !sizes.isEmpty, sizes.allSatisfy(SizeLadder.range.contains),
            !qualities.isEmpty, qualities.allSatisfy(QualityLadder.range.contains),
            let overflow = Overflow(rawValue: values["overflow"] ?? ""),
            let defaultQuality = Int(values["default_quality"] ?? ""),
            QualityLadder.range.contains(defaultQuality),
            let dialect = DialectName(rawValue: values["default_dialect"] ?? ""),
            let generation = Int(values["generation"] ?? "")
        else {
            throw IndexError(
                code: .invalidMeta,
                subject: database.path,
                message: "its table meta does not say how to canonicalise; publish it again"
            )
        }
        let scheme = values["default_scheme"] ?? ""
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

    private static func origins(in database: Database) throws(DatabaseError) -> [OriginRules] {
        var hosts: [String: [String]] = [:]
        for (origin, host) in try database.all(selectHosts, read: { ($0.text(0), $0.text(1)) }) {
            hosts[origin, default: []].append(host)
        }
        return try database.all(selectOrigins) { row in
            OriginRules(
                name: row.text(0),
                hosts: hosts[row.text(0)] ?? [],
                dialect: DialectName(rawValue: row.text(1)) ?? .none,
                drop: words(row.text(2)),
                keep: words(row.text(3)),
                unknown: OriginRules.UnknownParameters(rawValue: row.text(4)) ?? .keep
            )
        }
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

    private static func integers(_ text: String?) -> [Int] {
        (text ?? "").split(separator: ",").compactMap { Int($0) }
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
