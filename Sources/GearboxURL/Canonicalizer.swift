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
    let defaultScheme: URLScheme?
    let origins: OriginTable

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
        let host = parts.authority.host
        let origin = origins.entry(given, host, port: parts.authority.port)
        switch origin.dialect {
        case .nos: return understand(NOSDialect.self, origin, given, parts, normal, ranges)
        case .oss: return understand(OSSDialect.self, origin, given, parts, normal, ranges)
        case .qiniu: return understand(QiniuDialect.self, origin, given, parts, normal, ranges)
        case .tencent: return understand(TencentDialect.self, origin, given, parts, normal, ranges)
        case .none: return understand(NoDialect.self, origin, given, parts, normal, ranges)
        }
    }

    @inline(__always)
    private func understand<Grammar: Dialect>(
        _ dialect: Grammar.Type,
        _ origin: OriginEntry,
        _ given: borrowing Span<UInt8>,
        _ parts: URLParts,
        _ normal: borrowing Span<UInt8>,
        _ ranges: TargetRanges
    ) -> Request {
        let defaultQuality = rules.qualities.defaultQuality
        let reading = QueryReading(
            dialect,
            parts,
            normal,
            ranges,
            defaultQuality,
            origin.filter
        )
        if reading.isSigned || reading.isUnrelated {
            return verbatim(reading, origin, given, parts, normal, ranges)
        }
        let requested = reading.directives.directives(defaultQuality: defaultQuality)
        let directives = requested.map { onGears($0) }
        var layout = RequestLayout()
        let capacity = RequestLayout.simpleCapacity(parts, ranges)
        let written = [UInt8](capacity: capacity) { output in
            layout.writeSimple(
                given,
                parts,
                normal,
                ranges.path,
                dialect,
                directives,
                reading.kept,
                &output
            )
        }
        return .reading(
            written.span,
            layout,
            .simple,
            given,
            parts,
            origin: origin.name,
            directives: directives,
            requested: requested,
            unknownNames: reading.kept.names
        )
    }

    /// The request of an opaque or signed URL.
    private func verbatim(
        _ reading: QueryReading,
        _ origin: OriginEntry,
        _ given: borrowing Span<UInt8>,
        _ parts: URLParts,
        _ normal: borrowing Span<UInt8>,
        _ ranges: TargetRanges
    ) -> Request {
        let isUnrelated = reading.isUnrelated
        var layout = RequestLayout()
        let capacity = RequestLayout.verbatimCapacity(given)
        let written = [UInt8](capacity: capacity) { output in
            if reading.isSigned {
                layout.writeSigned(
                    given,
                    parts,
                    normal,
                    ranges,
                    origin.filter,
                    isUnrelated: isUnrelated,
                    &output
                )
            } else {
                layout.writeOpaque(given, parts, normal, ranges.path, &output)
            }
        }
        return .reading(
            written.span,
            layout,
            reading.isSigned ? .signed : .opaque,
            given,
            parts,
            origin: origin.name,
            unknownNames: isUnrelated ? [] : reading.kept.names
        )
    }

    /// The directives that others become: size and quality rounded up to their gears.
    @inline(__always)
    package func onGears(_ directives: Directives) -> Directives {
        var result = directives
        if directives.mode != nil { result.box = rules.sizes.box(for: directives.box) }
        result.quality = rules.qualities.gear(for: directives.quality)
        return result
    }
}
