/// Turns a URL into its canonical form.
///
/// GearboxURL owns what a URL means: the values of a request, the dialects, the ladders, the key,
/// and the exact sizes of variants. It works on bytes and imports nothing, so that every end
/// computes the same; it must not know of files, databases, networks or images.
///
/// The order of work is that of design.md section 2: split, percent-normalise, classify,
/// directives, gears, write. A class, because it is made once and then handed around: a copy is one
/// count.
package final class Canonicalizer: Sendable {
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
        if #available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            return try request(for: url.utf8Span.span)
        }
        return try request(for: Array(url.utf8).span)
    }

    /// Understands a URL of any bytes, also such that are not UTF-8.
    package func request(for url: Span<UInt8>) throws(RequestError) -> Request {
        var form = WholeRequest()
        return try understand(url, as: &form)
    }

    /// Writes the canonical URL of a URL of any bytes: `request(for:)` without all else that a
    /// request has, for those who have very many of them.
    ///
    /// - Parameters:
    ///   - url: the URL.
    ///   - output: where it is written; has room for `canonicalCapacity(of:)` bytes.
    /// - Throws: where the URL has no canonical form; nothing is written then.
    package func writeCanonical(
        of url: Span<UInt8>,
        to output: inout OutputSpan<UInt8>
    ) throws(RequestError) {
        try understand(url, as: &output)
    }

    /// The most bytes that a canonical URL has.
    package static func canonicalCapacity(of url: borrowing Span<UInt8>) -> Int {
        // Each byte may become three; thirty-two are for a scheme, the `/` of an empty path and `?`.
        3 * url.count + RequestLayout.directivesCapacity + 32
    }

    @inline(__always)
    private func understand<Form: RequestForm & ~Copyable & ~Escapable>(
        _ url: borrowing Span<UInt8>,
        as form: inout Form
    ) throws(RequestError) -> Form.Result {
        let parts = try URLParts(url, defaultScheme: defaultScheme)
        if parts.authority.hasEncodedHost {
            let decoded = try parts.authority.decodingHost(url)
            let decodedParts = try URLParts(decoded.span, defaultScheme: defaultScheme)
            return understand(decoded.span, decodedParts, as: &form)
        }
        return understand(url, parts, as: &form)
    }

    @inline(__always)
    private func understand<Form: RequestForm & ~Copyable & ~Escapable>(
        _ given: borrowing Span<UInt8>,
        _ parts: URLParts,
        as form: inout Form
    ) -> Form.Result {
        if parts.isNormal {
            let ranges = TargetRanges(path: parts.path, query: parts.query)
            return understand(given, parts, given, ranges, as: &form)
        }
        let normal = NormalTarget(given, parts)
        return understand(given, parts, normal.bytes.span, normal.ranges, as: &form)
    }

    /// Understands a URL whose path and query are in their normal form in `normal`.
    private func understand<Form: RequestForm & ~Copyable & ~Escapable>(
        _ given: borrowing Span<UInt8>,
        _ parts: URLParts,
        _ normal: borrowing Span<UInt8>,
        _ ranges: TargetRanges,
        as form: inout Form
    ) -> Form.Result {
        let host = parts.authority.host
        let origin = origins.entry(given, host, port: parts.authority.port)
        switch origin.dialect {
        case .nos: return read(NOSDialect.self, origin, given, parts, normal, ranges, &form)
        case .oss: return read(OSSDialect.self, origin, given, parts, normal, ranges, &form)
        case .qiniu: return read(QiniuDialect.self, origin, given, parts, normal, ranges, &form)
        case .tencent: return read(TencentDialect.self, origin, given, parts, normal, ranges, &form)
        case .none: return read(NoDialect.self, origin, given, parts, normal, ranges, &form)
        }
    }

    @inline(__always)
    private func read<Grammar: Dialect, Form: RequestForm & ~Copyable & ~Escapable>(
        _ dialect: Grammar.Type,
        _ origin: OriginEntry,
        _ given: borrowing Span<UInt8>,
        _ parts: URLParts,
        _ normal: borrowing Span<UInt8>,
        _ ranges: TargetRanges,
        _ form: inout Form
    ) -> Form.Result {
        let quality = rules.qualities.defaultQuality
        let reading = QueryReading(dialect, parts, normal, ranges, quality, origin.filter)
        if reading.isSigned || reading.isUnrelated {
            return form.verbatim(reading, origin, given, parts, normal, ranges)
        }
        let requested = reading.directives.directives(defaultQuality: quality)
        return form.simple(
            dialect,
            origin,
            given,
            parts,
            normal,
            ranges,
            reading.kept,
            requested: requested,
            directives: requested.map { onGears($0) }
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
