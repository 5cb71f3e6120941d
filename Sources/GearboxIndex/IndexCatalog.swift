internal import GearboxDatabase

/// A published index, open to be gone through from end to end.
///
/// All that is read is of one generation: a file that is replaced while it is open stays.
package final class IndexCatalog {
    package let meta: IndexMeta
    /// The hosts of each origin by its name, in byte order.
    package let hosts: [String: [String]]
    /// How many variants are selected.
    package let count: Int
    let database: Database

    /// Opens an index.
    ///
    /// - Parameters:
    ///   - path: the index file.
    ///   - selection: which of its variants are meant.
    /// - Throws: where the file is missing, damaged, or of another format version.
    package init(path: String, selection: IndexSelection = IndexSelection()) throws(IndexError) {
        do {
            database = try Database(path: path, access: .immutable)
            try IndexSchema.check(database)
            meta = try IndexMeta(from: database)
            hosts = try Self.hosts(in: database)
            count = try Self.choose(selection, in: database)
        } catch let error as DatabaseError {
            throw IndexError(database: error)
        } catch let error as IndexError {
            throw error
        } catch {
            preconditionFailure("the database and the index have errors of their own: \(error)")
        }
    }

    private static func hosts(in database: Database) throws(DatabaseError) -> [String: [String]] {
        var hosts: [String: [String]] = [:]
        for name in try database.all("SELECT name FROM origin", read: { $0.text(0) }) {
            hosts[name] = []
        }
        for (origin, host) in try database.all(selectHosts, read: { ($0.text(0), $0.text(1)) }) {
            hosts[origin, default: []].append(host)
        }
        return hosts
    }

    /// Notes the selected variants in the connection's own memory.
    private static func choose(
        _ selection: IndexSelection,
        in database: Database
    ) throws(DatabaseError) -> Int {
        try database.execute(makeChoice)
        for origin in selection.origins {
            try database.run("INSERT INTO wanted_origin VALUES (?1)", .text(origin))
        }
        for glob in selection.globs {
            try database.run("INSERT INTO wanted_path VALUES (?1)", .text(glob))
        }
        for gear in selection.gears {
            try database.run("INSERT INTO wanted_gear VALUES (?1)", .integer(gear))
        }
        try database.execute(insertChoice)
        if selection.minimumHits != nil || selection.top != nil {
            for variant in selection.hits {
                try database.run(
                    "INSERT INTO wanted_hit VALUES (?1, ?2, ?3)",
                    .text(variant.origin),
                    .text(variant.key),
                    .integer(variant.hits)
                )
            }
            let top = selection.top ?? -1
            try database.run(narrowChoice, .integer(selection.minimumHits ?? 1), .integer(top))
        }
        return try database.first("SELECT count(*) FROM chosen") { $0.integer(0) } ?? 0
    }

    /// The names of the origins that have selected variants, in byte order.
    package func chosenOrigins() throws(IndexError) -> [String] {
        do { return try database.all(Self.selectOrigins) { $0.text(0) } } catch {
            throw IndexError(database: error)
        }
    }

    /// Visits the names of the selected variants: the keys of all origins first, then the aliases.
    ///
    /// An alias that is the key of a variant, too, is that variant's name alone.
    package func forEachName(_ visit: (IndexedName) throws -> Void) throws {
        for (query, isAlias) in [(Self.selectKeys, false), (Self.selectAliases, true)] {
            try database.forEach(query) { statement in
                try visit(
                    IndexedName(
                        origin: statement.text(0),
                        key: statement.text(1),
                        isAlias: isAlias,
                        file: statement.text(2),
                        bytes: statement.integer(3),
                        format: statement.text(4)
                    )
                )
            }
        }
    }

    private static let selectHosts = """
        SELECT origin.name, host.name FROM host JOIN origin ON origin.id = host.origin_id
        ORDER BY host.name
        """
    private static let makeChoice = """
        PRAGMA temp_store = MEMORY;
        CREATE TEMP TABLE wanted_origin (name TEXT);
        CREATE TEMP TABLE wanted_path (glob TEXT);
        CREATE TEMP TABLE wanted_gear (side INTEGER);
        CREATE TEMP TABLE wanted_hit (origin TEXT, key TEXT, hits INTEGER);
        CREATE TEMP TABLE chosen (id INTEGER PRIMARY KEY);
        """
    private static let insertChoice = """
        INSERT INTO chosen SELECT v.id FROM variant AS v JOIN origin AS o ON o.id = v.origin_id
        WHERE (NOT EXISTS (SELECT 1 FROM wanted_origin)
                OR o.name IN (SELECT name FROM wanted_origin))
            AND (NOT EXISTS (SELECT 1 FROM wanted_gear)
                OR max(v.box_width, v.box_height) IN (SELECT side FROM wanted_gear))
            AND (NOT EXISTS (SELECT 1 FROM wanted_path)
                OR EXISTS (SELECT 1 FROM wanted_path AS p
                    WHERE substr(v.key, 1, instr(v.key || '?', '?') - 1) GLOB p.glob))
        """
    private static let narrowChoice = """
        DELETE FROM chosen WHERE id NOT IN (
            SELECT c.id FROM wanted_hit AS h JOIN origin AS o ON o.name = h.origin
                JOIN variant AS v ON v.origin_id = o.id AND v.key = h.key
                JOIN chosen AS c ON c.id = v.id
            WHERE h.hits >= ?1 ORDER BY h.hits DESC, o.name, v.key LIMIT ?2)
        """
    private static let selectOrigins = """
        SELECT DISTINCT o.name FROM chosen AS c JOIN variant AS v ON v.id = c.id
            JOIN origin AS o ON o.id = v.origin_id ORDER BY o.name
        """
    private static let selectKeys = """
        SELECT o.name, v.key, v.file, v.bytes, v.format
        FROM chosen AS c JOIN variant AS v ON v.id = c.id JOIN origin AS o ON o.id = v.origin_id
        ORDER BY o.name, v.key
        """
    private static let selectAliases = """
        SELECT o.name, a.key, v.file, v.bytes, v.format
        FROM alias AS a JOIN chosen AS c ON c.id = a.variant_id JOIN variant AS v ON v.id = c.id
            JOIN origin AS o ON o.id = a.origin_id
        WHERE NOT EXISTS (
            SELECT 1 FROM variant AS w WHERE w.origin_id = a.origin_id AND w.key = a.key)
        ORDER BY o.name, a.key
        """
}
