/// Requests that are fetched as they were given.
extension RequestAssembly {
    /// An opaque request: its key is the path and the query as given.
    mutating func opaque(
        _ given: borrowing Span<UInt8>,
        _ parts: URLParts,
        _ origin: String
    ) -> Request {
        if let query = parts.query {
            url.append(URLByte.question)
            PercentEncoding.appendOpaque(given, query, to: &url)
        }
        let canonical = 0..<url.count
        let keyRange = siteEnd..<url.count
        let key = url.string(keyRange)
        return Request(
            requestClass: .opaque,
            canonical: url.string(canonical),
            key: key,
            rawKey: rawKey(given, parts, known: key, at: keyRange),
            origin: origin,
            source: nil,
            directives: nil,
            requested: nil,
            fetchURL: verbatim(given, parts)
        )
    }

    /// A signed request: its key is the path and the parameters that are no signature.
    mutating func signed(
        _ given: borrowing Span<UInt8>,
        _ parts: URLParts,
        _ normal: borrowing Span<UInt8>,
        _ signedKey: SignedKey,
        _ reading: QueryReading,
        _ origin: String
    ) -> Request {
        signedKey.write(given, normal, to: &url)
        let keyRange = siteEnd..<url.count
        let key = url.string(keyRange)
        let whole = verbatim(given, parts)
        return Request(
            requestClass: .signed,
            canonical: whole,
            key: key,
            rawKey: rawKey(given, parts, known: key, at: keyRange),
            origin: origin,
            source: reading.isUnrelated ? nil : key,
            directives: nil,
            requested: nil,
            fetchURL: whole,
            unknownNames: reading.isUnrelated ? [] : reading.kept.names
        )
    }

    /// The URL as given without its fragment, written so that it can be sent.
    private mutating func verbatim(
        _ given: borrowing Span<UInt8>,
        _ parts: URLParts
    ) -> String {
        let start = url.count
        if parts.hasScheme {
            url.append(given, 0..<parts.authority.range.lowerBound)
        } else {
            url.append(parts.scheme.prefix)
        }
        url.append(given, parts.authority.range)
        PercentEncoding.appendSendable(given, parts.target, to: &url)
        return url.string(start..<url.count)
    }
}
