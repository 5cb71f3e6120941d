/// What was read from one URL, and which rule rounded, dropped or classified what, in words.
package struct Explanation: Hashable, Sendable {
    /// Short sentences in the order of the work; none holds the value of a signature.
    package private(set) var sentences: [String] = []

    mutating func say(_ sentence: String) { sentences.append(sentence) }
}

extension Canonicalizer {
    /// Explains what `request(for:)` makes of a URL, or why it makes nothing of it.
    package func explanation(of url: String) -> Explanation {
        explanation(of: Array(url.utf8).span)
    }

    /// Explains a URL of any bytes, also such that are not UTF-8.
    package func explanation(of url: Span<UInt8>) -> Explanation {
        var explanation = Explanation()
        do throws(RequestError) {
            let request = try request(for: url)
            let parts = try URLParts(url, defaultScheme: defaultScheme)
            if parts.authority.hasEncodedHost {
                let decoded = try parts.authority.decodingHost(url)
                explanation.say("Percent-encoded bytes of the host were decoded.")
                let decodedParts = try URLParts(decoded.span, defaultScheme: defaultScheme)
                explain(request, decoded.span, decodedParts, in: &explanation)
            } else {
                explain(request, url, parts, in: &explanation)
            }
        } catch {
            explanation.say("There is no key: \(error.message).")
        }
        return explanation
    }

    private func explain(
        _ request: Request,
        _ given: borrowing Span<UInt8>,
        _ parts: URLParts,
        in explanation: inout Explanation
    ) {
        let normal = NormalTarget(given, parts)
        let origin = origins.entry(given, parts.authority.host, port: parts.authority.port)
        explanation.explainSite(request, given, parts, dialect: origin.dialect)
        explanation.explainPath(given, parts, normal)
        let reading = reading(origin, parts, normal)
        explanation.explainClass(request, reading, normal)
        if request.requestClass == .simple {
            explanation.explainDirectives(request, reading.directives, rules)
        }
        explanation.explainParameters(request, normal, origin, rules)
    }

    private func reading(
        _ origin: OriginEntry,
        _ parts: URLParts,
        _ normal: NormalTarget
    ) -> QueryReading {
        switch origin.dialect {
        case .nos: reading(NOSDialect.self, origin, parts, normal)
        case .oss: reading(OSSDialect.self, origin, parts, normal)
        case .qiniu: reading(QiniuDialect.self, origin, parts, normal)
        case .tencent: reading(TencentDialect.self, origin, parts, normal)
        case .none: reading(NoDialect.self, origin, parts, normal)
        }
    }

    private func reading<Grammar: Dialect>(
        _ dialect: Grammar.Type,
        _ origin: OriginEntry,
        _ parts: URLParts,
        _ normal: NormalTarget
    ) -> QueryReading {
        let quality = rules.qualities.defaultQuality
        let bytes = normal.bytes.span
        return QueryReading(dialect, parts, bytes, normal.ranges, quality, origin.filter)
    }
}
