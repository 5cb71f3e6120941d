/// Requests that are rewritten to their canonical form.
extension RequestAssembly {
    @inline(__always)
    mutating func simple<Grammar: Dialect>(
        _ given: borrowing Span<UInt8>,
        _ parts: URLParts,
        _ dialect: Grammar.Type,
        _ reading: QueryReading,
        _ rules: CanonicalRules,
        _ origin: String
    ) -> Request {
        let kept = reading.kept
        if kept.count > 0 {
            url.beginQuery(merging: kept)
            url.endQuery()
        }
        let sourceEnd = url.count
        let fetchURL = url.string(0..<sourceEnd)
        let source = url.string(siteEnd..<sourceEnd)
        let requested = reading.directives.directives(
            defaultQuality: rules.qualities.defaultQuality
        )
        guard let requested else {
            return Request(
                requestClass: .simple,
                canonical: fetchURL,
                key: source,
                rawKey: rawKey(given, parts, known: source, at: siteEnd..<sourceEnd),
                origin: origin,
                source: source,
                directives: nil,
                requested: nil,
                fetchURL: fetchURL,
                unknownNames: kept.names
            )
        }
        let directives = requested.onGears(of: rules)
        // Without kept parameters the canonical URL is the source's and the directives behind it.
        var start = 0
        if kept.count > 0 {
            start = url.count
            url.appendCopy(of: 0..<pathEnd)
        }
        url.beginQuery(merging: kept)
        dialect.write(directives, to: &url)
        url.endQuery()
        let keyRange = start + siteEnd..<url.count
        let key = url.string(keyRange)
        return Request(
            requestClass: .simple,
            canonical: url.string(start..<url.count),
            key: key,
            rawKey: rawKey(given, parts, known: key, at: keyRange),
            origin: origin,
            source: source,
            directives: directives,
            requested: requested,
            fetchURL: fetchURL,
            unknownNames: kept.names
        )
    }
}

extension Directives {
    /// The directives that these become: size and quality rounded up to their gears.
    @inline(__always)
    package func onGears(of rules: CanonicalRules) -> Directives {
        var directives = self
        if mode != nil { directives.box = rules.sizes.box(for: box) }
        directives.quality = rules.qualities.gear(for: quality)
        return directives
    }
}
