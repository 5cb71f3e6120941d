internal import GearboxDatabase
package import GearboxURL

/// A published index, open for reading on one thread.
package final class IndexReader {
    package let meta: IndexMeta
    let database: Database
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
        } catch {
            throw IndexError(database: error)
        }
        try IndexSchema.check(database)
        meta = try IndexMeta(from: database)
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
        if let variant = try variant(VariantRecord.byKey, origin, request.key, accepted) {
            return .exact(variant)
        }
        if let path = request.source,
            let source = try database.first(
                SourceRecord.byPath,
                .integer(origin),
                .text(path),
                read: SourceRecord.init(row:)
            )
        {
            let variants = try database.all(
                VariantRecord.bySource,
                .integer(source.id),
                read: VariantRecord.init(row:)
            )
            let rule = ReuseRule(
                source: source,
                originalKey: path,
                hasSteps: !meta.steps.isEmpty,
                accepted: accepted
            )
            let wanted = request.directives ?? Directives(quality: 100)
            if let (variant, recipe) = rule.standIn(for: wanted, among: variants) {
                return .reuse(variant, recipe)
            }
        }
        if let variant = try variant(VariantRecord.byAlias, origin, request.rawKey, accepted) {
            return .alias(variant)
        }
        return .miss
    }

    private func variant(
        _ query: String,
        _ origin: Int,
        _ key: String,
        _ accepted: Set<String>?
    ) throws(DatabaseError) -> VariantRecord? {
        let variant = try database.first(
            query,
            .integer(origin),
            .text(key),
            read: VariantRecord.init(row:)
        )
        guard let variant, accepted?.contains(variant.format) ?? true else { return nil }
        return variant
    }

    /// Origins are few, so each is looked up once.
    private func identifier(ofOrigin name: String) throws(DatabaseError) -> Int? {
        if let known = origins[name] { return known }
        let found = try database.first("SELECT id FROM origin WHERE name = ?1", .text(name)) {
            $0.integer(0)
        }
        origins[name] = .some(found)
        return found
    }
}
