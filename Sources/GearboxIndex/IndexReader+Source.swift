internal import GearboxDatabase
package import GearboxURL

/// A source as a published index has it.
package struct IndexedSource: Hashable, Sendable {
    package var record: SourceRecord
    /// Changes with the original's bytes.
    package var version: String
}

extension IndexReader {
    /// The source of a request; `nil` where the index has none, or what is asked for is never
    /// related.
    package func source(of request: Request) throws(IndexError) -> IndexedSource? {
        guard let path = request.source else { return nil }
        do {
            return try database.first(
                Self.sourceOfOrigin,
                .text(request.origin),
                .text(path)
            ) { row in
                IndexedSource(record: SourceRecord(row: row), version: row.text(7))
            }
        } catch {
            throw IndexError(database: error)
        }
    }

    /// What is to be done to an answer's picture to get the picture of the request before gears.
    ///
    /// - Returns: `nil` where the answer is shown as it is: an alias, an opaque URL, a request
    ///   without a size, a picture whose size or source nobody knows.
    package func recipe(
        for answer: Answer,
        toRequested request: Request
    ) throws(IndexError) -> Recipe? {
        let variant: VariantRecord
        switch answer {
        case .exact(let exact): variant = exact
        case .reuse(let stored, _): variant = stored
        case .alias, .miss: return nil
        }
        guard let requested = request.requested, requested.mode != nil, let size = variant.size,
            let source = try source(of: request)?.record.size
        else { return nil }
        return Recipe(from: size, mode: variant.mode, toRequested: requested, of: source)
    }

    private static let sourceOfOrigin = """
        SELECT s.id, s.width, s.height, s.animated, s.alpha, s.format, s.stale, s.version
        FROM origin AS o JOIN source AS s ON s.origin_id = o.id
        WHERE o.name = ?1 AND s.path = ?2
        """
}
