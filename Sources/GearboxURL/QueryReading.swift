/// A query, read: its directives, its unknown parameters and what forbids rewriting it.
struct QueryReading {
    var directives = DirectiveReading()
    var kept = KeptParameters.none
    var isSigned = false

    /// Whether the URL must not be related to a source: it asks for more than the canonical form
    /// can say, or its directives are signed.
    var isUnrelated: Bool {
        directives.opaqueReason != nil || (isSigned && directives.isPresent)
    }

    @inline(__always)
    init<Grammar: Dialect>(
        _ dialect: Grammar.Type,
        _ parts: URLParts,
        _ normal: borrowing Span<UInt8>,
        _ ranges: TargetRanges,
        _ defaultQuality: Int,
        _ filter: ParameterFilter
    ) {
        guard let query = ranges.query else { return }
        if dialect.hasPipelines {
            if ranges.hasPipe { directives.refuse(.pipeline, nil) }
            if parts.hasSecondQuery { directives.refuse(.secondQuery, nil) }
        }
        var items = QueryItems(query)
        while let item = items.next(in: normal) {
            if dialect.read(item, of: normal, defaultQuality: defaultQuality, into: &directives) {
                continue
            }
            if SignatureNames.contains(normal, item.name) {
                isSigned = true
            } else if directives.opaqueReason == nil, filter.keeps(normal, item.name) {
                kept.append(item, of: normal)
            }
        }
        kept.arrange()
    }
}
