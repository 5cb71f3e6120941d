internal import GearboxDatabase
package import GearboxURL

/// A published index, open for reading on one thread.
package final class IndexReader {
    package let meta: IndexMeta
    let database: Database
    private let rows: IndexRows
    private let canonicalizer: Canonicalizer
    private var origins: [String: Int?] = [:]

    /// Opens an index.
    ///
    /// - Parameter path: the index file; its folder need not be writable. A file that is replaced
    ///   while it is open goes on answering from what was there.
    /// - Throws: where the file is missing, damaged, or of another format version.
    package init(path: String) throws(IndexError) {
        do {
            database = try Database(path: path, access: .immutable)
            try database.execute(Self.settings)
        } catch {
            throw IndexError(database: error)
        }
        try IndexSchema.check(database)
        meta = try IndexMeta(from: database)
        do {
            rows = try IndexRows(database)
        } catch {
            throw IndexError(database: error)
        }
        canonicalizer = Canonicalizer(rules: meta.rules)
    }

    /// Whether another file has the index's path now, or none has.
    package var isReplaced: Bool { database.isReplaced }

    /// The request that a URL is under the index's rules.
    package func request(for url: String) throws(RequestError) -> Request {
        try canonicalizer.request(for: url)
    }

    /// Answers a request: exact, else reuse, else alias, else miss.
    ///
    /// - Parameters:
    ///   - request: a request made by `request(for:)`.
    ///   - accepted: the formats that the client can decode, `jpg webp ...`; `nil`: all.
    /// - Returns: what to show, or a miss.
    /// - Throws: where the file cannot be read.
    package func answer(to request: Request, accepted: Set<String>? = nil) throws(IndexError)
        -> Answer
    {
        do {
            guard let origin = try identifier(ofOrigin: request.origin) else { return .miss }
            return try answer(to: request, origin: origin, accepted: accepted)
        } catch {
            throw IndexError(database: error)
        }
    }

    private func answer(
        to request: Request,
        origin: Int,
        accepted: Set<String>?
    ) throws(DatabaseError) -> Answer {
        func isTaken(_ variant: VariantRecord) -> Bool {
            accepted?.contains(variant.format) ?? true
        }
        if let variant = try rows.variant(origin: origin, key: request.key), isTaken(variant) {
            return .exact(variant)
        }
        if let path = request.source, let source = try rows.source(origin: origin, path: path) {
            var (variants, identifiers) = try rows.variants(of: source)
            let rule = ReuseRule(
                source: source.record,
                originalKey: path,
                hasSteps: !meta.steps.isEmpty,
                accepted: accepted
            )
            let wanted = request.directives ?? Directives(quality: 100)
            if let (best, recipe) = rule.best(for: wanted, among: variants) {
                variants[best].file = try rows.file(
                    ofVariant: identifiers[best],
                    format: variants[best].format
                )
                return .reuse(variants[best], recipe)
            }
        }
        if let variant = try rows.variant(origin: origin, alias: request.rawKey), isTaken(variant) {
            return .alias(variant)
        }
        return .miss
    }

    /// Origins are few, so each is looked up once.
    private func identifier(ofOrigin name: String) throws(DatabaseError) -> Int? {
        if let known = origins[name] { return known }
        let found = try rows.origin(named: name)
        origins[name] = .some(found)
        return found
    }

    /// What makes many small queries of a file that never changes quick.
    ///
    /// Pages are read where the system keeps them. The transaction is never ended: nobody waits for
    /// it, as there are no locks, and beginning one for each statement costs more than most of them.
    private static let settings = "PRAGMA mmap_size = 1073741824; BEGIN"
}
