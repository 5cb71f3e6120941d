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
    mutating func read<Grammar: Dialect>(
        _ query: Range<Int>,
        of bytes: borrowing Span<UInt8>,
        _ dialect: Grammar.Type,
        _ defaultQuality: Int,
        _ unknown: UnknownParameters
    ) {
        var items = QueryItems(query)
        while let item = items.next(in: bytes) {
            if dialect.read(item, of: bytes, defaultQuality: defaultQuality, into: &directives) {
                continue
            }
            if SignatureNames.contains(bytes, item.name) {
                isSigned = true
            } else if directives.opaqueReason == nil, unknown.keeps(bytes, item.name) {
                kept.append(item, of: bytes)
            }
        }
        kept.arrange()
    }
}
