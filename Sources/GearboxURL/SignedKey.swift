/// The query of a signed URL's key: the parameters as given, without the signature.
struct SignedKey {
    private let given: Range<Int>?
    private let normal: Range<Int>?
    private let unknown: UnknownParameters
    private let keepsAll: Bool

    /// - Parameters:
    ///   - given: the query as given.
    ///   - normal: the same query in its normal form, which has the same items.
    ///   - unknown: which parameters belong to the source.
    ///   - keepsAll: whether every parameter stays, as in an opaque key.
    init(
        _ given: Range<Int>?,
        _ normal: Range<Int>?,
        _ unknown: UnknownParameters,
        _ keepsAll: Bool
    ) {
        self.given = given
        self.normal = normal
        self.unknown = unknown
        self.keepsAll = keepsAll
    }

    func write(
        _ givenBytes: borrowing Span<UInt8>,
        _ normalBytes: borrowing Span<UInt8>,
        to url: inout URLWriter
    ) {
        guard let given, let normal else { return }
        url.beginQuery(merging: .none)
        var givenItems = QueryItems(given)
        var normalItems = QueryItems(normal)
        while let item = givenItems.next(in: givenBytes),
            let named = normalItems.next(in: normalBytes)
        {
            if SignatureNames.contains(normalBytes, named.name) { continue }
            guard keepsAll || unknown.keeps(normalBytes, named.name) else { continue }
            url.separate()
            PercentEncoding.appendOpaque(givenBytes, item.range, to: &url)
        }
    }
}
