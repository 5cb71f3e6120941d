extension Request {
    /// The request whose URLs and keys were written to a buffer.
    ///
    /// Not an initialiser: one that reads its own fields is compiled to a copy of the whole.
    @inline(__always)
    static func reading(
        _ written: borrowing Span<UInt8>,
        _ layout: RequestLayout,
        _ requestClass: RequestClass,
        _ given: borrowing Span<UInt8>,
        _ parts: URLParts,
        origin: String?,
        directives: Directives? = nil,
        requested: Directives? = nil,
        unknownNames: [String] = []
    ) -> Request {
        let key = String(ascii: written.extracting(layout.key))
        let fetchURL = String(ascii: written.extracting(layout.fetchURL))
        let isFetched = layout.canonical == layout.fetchURL
        let canonical = isFetched ? fetchURL : String(ascii: written.extracting(layout.canonical))
        let source = layout.source.map { range in
            range == layout.key ? key : String(ascii: written.extracting(range))
        }
        let isKey = isSame(written, layout.key, given, parts.target)
        let rawKey =
            isKey ? key : String(rawKey: given, parts.target, addsPath: parts.path.isEmpty)
        return Request(
            requestClass: requestClass,
            canonical: canonical,
            key: key,
            rawKey: rawKey,
            fetchURL: fetchURL,
            origin: origin ?? String(ascii: written.extracting(layout.host)),
            source: source,
            directives: directives,
            requested: requested,
            unknownNames: unknownNames
        )
    }

    @inline(__always)
    private static func isSame(
        _ written: borrowing Span<UInt8>,
        _ range: Range<Int>,
        _ given: borrowing Span<UInt8>,
        _ givenRange: Range<Int>
    ) -> Bool {
        guard range.count == givenRange.count else { return false }
        // From the end, because the paths are the same more often than the queries.
        var offset = range.count
        while offset > 0 {
            offset &-= 1
            if written[range.lowerBound &+ offset] != given[givenRange.lowerBound &+ offset] {
                return false
            }
        }
        return true
    }
}

extension String {
    /// A string of bytes that are known to be ASCII.
    @inline(__always)
    fileprivate init(ascii bytes: borrowing Span<UInt8>) {
        guard let text = String(utf8: copy bytes) else {
            preconditionFailure("what is written into a URL is percent-encoded, so ASCII")
        }
        self = text
    }

    /// What stands behind the host, byte for byte.
    fileprivate init(rawKey given: borrowing Span<UInt8>, _ target: Range<Int>, addsPath: Bool) {
        let text = String(urlBytes: given.extracting(target))
        self = addsPath ? "/" + text : text
    }
}
