/// Requests that are rewritten to their canonical form.
extension RequestLayout {
    /// The most bytes that a simple request is written with: the source's URL, and a canonical one
    /// of its own where parameters stand between the directives.
    @inline(__always)
    static func simpleCapacity(_ parts: URLParts, _ ranges: TargetRanges) -> Int {
        // Sixteen for `https://`, the `/` of an empty path and the `?`.
        let source =
            16 + parts.authority.range.count + ranges.path.count + (ranges.query?.count ?? 0)
        return 2 * source + directivesCapacity
    }

    /// Writes the source's URL, and the canonical URL of its directives if there are any.
    @inline(__always)
    mutating func writeSimple<Grammar: Dialect>(
        _ given: borrowing Span<UInt8>,
        _ parts: URLParts,
        _ normal: borrowing Span<UInt8>,
        _ path: Range<Int>,
        _ dialect: Grammar.Type,
        _ directives: Directives?,
        _ kept: KeptParameters,
        _ output: inout OutputSpan<UInt8>
    ) {
        writeSite(given, parts, &output)
        let siteEnd = output.count
        writePath(normal, path, &output)
        let pathEnd = output.count
        if kept.count > 0 { Self.writeItems(dialect, nil, kept, &output) }
        source = siteEnd..<output.count
        fetchURL = 0..<output.count
        // Without kept parameters the canonical URL is the source's with the directives behind it.
        var start = 0
        if directives != nil {
            if kept.count > 0 {
                start = output.count
                output.appendCopy(of: 0..<pathEnd)
            }
            Self.writeItems(dialect, directives, kept, &output)
        }
        canonical = start..<output.count
        key = start + siteEnd..<output.count
    }
    /// Writes the query: the items of the directives, with the kept parameters merged in.
    @inline(__always)
    static func writeItems<Grammar: Dialect>(
        _ dialect: Grammar.Type,
        _ directives: Directives?,
        _ kept: KeptParameters,
        _ output: inout OutputSpan<UInt8>
    ) {
        var order = ItemOrder(merging: kept)
        if let directives { dialect.write(directives, in: &order, to: &output) }
        order.finish(&output)
    }
}
