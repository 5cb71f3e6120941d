/// Turns a URL into its canonical form.
///
/// GearboxURL owns what a URL means: the values of a request, the dialects, the ladders, the key,
/// and the exact sizes of variants. It works on bytes and imports nothing, so that every end
/// computes the same; it must not know of files, databases, networks or images.
///
/// The order of work is that of design.md section 2: split, percent-normalise, classify,
/// directives, gears, write.
package struct Canonicalizer: Sendable {
    package let rules: CanonicalRules
    private let defaultScheme: URLScheme?
    private let origins: OriginTable

    package init(rules: CanonicalRules) {
        self.rules = rules
        defaultScheme = rules.defaultScheme.flatMap(URLScheme.init)
        origins = OriginTable(rules)
    }

    /// The dialect of an origin, by the name that requests give it.
    package func dialect(ofOrigin name: String) -> DialectName {
        rules.origins.first { $0.name == name }?.dialect ?? rules.defaultDialect
    }

    /// Understands a URL.
    package func request(for url: String) throws(RequestError) -> Request {
        try request(for: url.utf8Span.span)
    }

    /// Understands a URL of any bytes, also such that are not UTF-8.
    package func request(for url: Span<UInt8>) throws(RequestError) -> Request {
        let parts = try URLParts(url, defaultScheme: defaultScheme)
        if parts.authority.hasEncodedHost {
            let decoded = try parts.authority.decodingHost(url)
            return try request(for: decoded.span)
        }
        if parts.isNormal {
            let ranges = TargetRanges(path: parts.path, query: parts.query)
            return understand(url, parts, url, ranges)
        }
        let normal = NormalTarget(url, parts)
        return understand(url, parts, normal.bytes.span, normal.ranges)
    }

    /// Understands a URL whose path and query are in their normal form in `normal`.
    private func understand(
        _ given: borrowing Span<UInt8>,
        _ parts: URLParts,
        _ normal: borrowing Span<UInt8>,
        _ ranges: TargetRanges
    ) -> Request {
        var assembly = RequestAssembly(given, parts, normal, ranges.path)
        let entry = assembly.entry(in: origins)
        switch entry.dialect {
        case .nos:
            return understand(&assembly, NOSDialect.self, entry, given, parts, normal, ranges)
        case .none:
            return understand(&assembly, NoDialect.self, entry, given, parts, normal, ranges)
        }
    }

    @inline(__always)
    private func understand<Grammar: Dialect>(
        _ assembly: inout RequestAssembly,
        _ dialect: Grammar.Type,
        _ entry: OriginTable.Entry,
        _ given: borrowing Span<UInt8>,
        _ parts: URLParts,
        _ normal: borrowing Span<UInt8>,
        _ ranges: TargetRanges
    ) -> Request {
        var reading = QueryReading()
        if let query = ranges.query {
            if dialect.hasPipelines {
                if ranges.hasPipe { reading.directives.refuse(.pipeline, nil) }
                if parts.hasSecondQuery { reading.directives.refuse(.secondQuery, nil) }
            }
            let quality = rules.qualities.defaultQuality
            reading.read(query, of: normal, dialect, defaultQuality: quality, entry.unknown)
        }
        let origin = entry.name ?? assembly.host
        if reading.isSigned {
            let key = SignedKey(parts.query, ranges.query, entry.unknown, reading.isUnrelated)
            return assembly.signed(given, parts, normal, key, reading, origin)
        }
        if reading.isUnrelated {
            return assembly.opaque(given, parts, origin)
        }
        return assembly.simple(given, parts, dialect, reading, rules, origin)
    }
}
