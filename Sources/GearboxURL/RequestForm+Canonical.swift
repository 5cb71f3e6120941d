/// The form of the canonical URL alone, written to where it is wanted.
extension OutputSpan: RequestForm where Element == UInt8 {
    @inline(__always)
    mutating func simple<Grammar: Dialect>(
        _ dialect: Grammar.Type,
        _ origin: OriginEntry,
        _ given: borrowing Span<UInt8>,
        _ parts: URLParts,
        _ normal: borrowing Span<UInt8>,
        _ ranges: TargetRanges,
        _ kept: KeptParameters,
        requested: Directives?,
        directives: Directives?
    ) {
        var layout = RequestLayout()
        layout.writeSite(given, parts, &self)
        layout.writePath(normal, ranges.path, &self)
        RequestLayout.writeItems(dialect, directives, kept, &self)
    }

    mutating func verbatim(
        _ reading: QueryReading,
        _ origin: OriginEntry,
        _ given: borrowing Span<UInt8>,
        _ parts: URLParts,
        _ normal: borrowing Span<UInt8>,
        _ ranges: TargetRanges
    ) {
        var layout = RequestLayout()
        if reading.isSigned {
            layout.writeVerbatim(given, parts, &self)
        } else {
            layout.writeOpaqueCanonical(given, parts, normal, ranges.path, &self)
        }
    }
}
