/// Requests that are fetched as they were given.
extension RequestLayout {
    /// The most bytes that a verbatim request is written with: each byte three times as long in the
    /// canonical URL and once more in the URL that is fetched.
    static func verbatimCapacity(_ given: borrowing Span<UInt8>) -> Int { 6 * given.count + 64 }

    /// Writes an opaque request: its key is the path and the query as given.
    mutating func writeOpaque(
        _ given: borrowing Span<UInt8>,
        _ parts: URLParts,
        _ normal: borrowing Span<UInt8>,
        _ path: Range<Int>,
        _ output: inout OutputSpan<UInt8>
    ) {
        writeOpaqueCanonical(given, parts, normal, path, &output)
        canonical = 0..<output.count
        key = host.upperBound..<output.count
        writeVerbatim(given, parts, &output)
    }

    /// Writes the canonical URL of an opaque request.
    mutating func writeOpaqueCanonical(
        _ given: borrowing Span<UInt8>,
        _ parts: URLParts,
        _ normal: borrowing Span<UInt8>,
        _ path: Range<Int>,
        _ output: inout OutputSpan<UInt8>
    ) {
        writeSite(given, parts, &output)
        writePath(normal, path, &output)
        guard let query = parts.query else { return }
        output.append(URLByte.question)
        PercentEncoding.appendOpaque(given, query, to: &output)
    }

    /// Writes a signed request: its key is the path and the parameters that are no signature.
    mutating func writeSigned(
        _ given: borrowing Span<UInt8>,
        _ parts: URLParts,
        _ normal: borrowing Span<UInt8>,
        _ ranges: TargetRanges,
        _ filter: ParameterFilter,
        isUnrelated: Bool,
        _ output: inout OutputSpan<UInt8>
    ) {
        writeSite(given, parts, &output)
        let siteEnd = output.count
        writePath(normal, ranges.path, &output)
        if let query = parts.query, let normalQuery = ranges.query {
            var order = ItemOrder(merging: .none)
            // The query in its normal form has the same items, in the same places.
            var items = QueryItems(query)
            var normalItems = QueryItems(normalQuery)
            while let item = items.next(in: given), let named = normalItems.next(in: normal) {
                if SignatureNames.contains(normal, named.name) { continue }
                guard isUnrelated || filter.keeps(normal, named.name) else { continue }
                order.separate(&output)
                PercentEncoding.appendOpaque(given, item.range, to: &output)
            }
        }
        key = siteEnd..<output.count
        source = isUnrelated ? nil : key
        writeVerbatim(given, parts, &output)
        canonical = fetchURL
    }

    /// Writes the URL as given without its fragment, so that it can be sent.
    mutating func writeVerbatim(
        _ given: borrowing Span<UInt8>,
        _ parts: URLParts,
        _ output: inout OutputSpan<UInt8>
    ) {
        let start = output.count
        if parts.hasScheme {
            output.append(given, 0..<parts.authority.range.lowerBound)
        } else {
            output.append(parts.scheme.prefix)
        }
        output.append(given, parts.authority.range)
        PercentEncoding.appendSendable(given, parts.target, to: &output)
        fetchURL = start..<output.count
    }
}
