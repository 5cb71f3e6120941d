/// What is made of a URL once it is understood: a whole request, or its canonical URL alone.
///
/// Everything up to here is the same for all of them, so that no two can differ in what they say.
protocol RequestForm: ~Copyable, ~Escapable {
    associatedtype Result

    /// Takes a URL that is rewritten to its canonical form.
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
    ) -> Result

    /// Takes an opaque or signed URL, which is fetched as it was given.
    mutating func verbatim(
        _ reading: QueryReading,
        _ origin: OriginEntry,
        _ given: borrowing Span<UInt8>,
        _ parts: URLParts,
        _ normal: borrowing Span<UInt8>,
        _ ranges: TargetRanges
    ) -> Result
}
