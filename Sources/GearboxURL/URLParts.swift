/// Where the parts of a URL stand in its bytes, and whether its path and query are normal already.
///
/// The fragment is cut off before anything else is looked at: it is never sent.
struct URLParts {
    var scheme: URLScheme
    /// Whether the scheme is in the bytes, not the default one.
    var hasScheme: Bool
    var authority: Authority
    var path: Range<Int>
    /// What follows the first `?`; `nil` without one.
    var query: Range<Int>?
    /// Whether every byte of path and query may stand as it is and the path has no dot segments.
    var isNormal: Bool
    /// Whether the query holds another `?`.
    var hasSecondQuery: Bool

    /// What is sent after the host, as given.
    var target: Range<Int> { path.lowerBound..<(query?.upperBound ?? path.upperBound) }

    init(_ bytes: borrowing Span<UInt8>, defaultScheme: URLScheme?) throws(RequestError) {
        var index: Int
        (scheme, hasScheme, index) = try Self.scheme(of: bytes, default: defaultScheme)

        let authorityStart = index
        while index < bytes.count, !Self.endsAuthority(bytes[index]) { index &+= 1 }
        authority = try Authority(
            bytes,
            authorityStart..<index,
            defaultPort: scheme.defaultPort
        )

        var isNormal = true
        let pathStart = index
        while index < bytes.count {
            let byte = bytes[index]
            if !URLByte.isPlainInPath(byte) {
                if byte == URLByte.question || byte == URLByte.hash { break }
                if byte != URLByte.dot || bytes[index &- 1] == URLByte.slash { isNormal = false }
            }
            index &+= 1
        }
        path = pathStart..<index

        var hasSecondQuery = false
        if index < bytes.count, bytes[index] == URLByte.question {
            index &+= 1
            let queryStart = index
            while index < bytes.count {
                let byte = bytes[index]
                if !URLByte.isPlainInQuery(byte) {
                    if byte == URLByte.hash { break }
                    if byte == URLByte.question { hasSecondQuery = true } else { isNormal = false }
                }
                index &+= 1
            }
            query = queryStart..<index
        }
        self.isNormal = isNormal
        self.hasSecondQuery = hasSecondQuery
    }

    @inline(__always)
    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == URLByte.slash || byte == URLByte.question || byte == URLByte.hash
    }

    /// The scheme, whether it was given, and where the authority begins.
    private static func scheme(
        of bytes: borrowing Span<UInt8>,
        default defaultScheme: URLScheme?
    ) throws(RequestError) -> (URLScheme, Bool, Int) {
        if startsAuthority(bytes, at: 0) {
            guard let defaultScheme else { throw .noDefaultScheme }
            return (defaultScheme, false, 2)
        }
        var end = 0
        while end < bytes.count, isSchemeByte(bytes[end]) { end &+= 1 }
        guard end > 0, end < bytes.count, bytes[end] == URLByte.colon, URLByte.isLetter(bytes[0])
        else { throw .noScheme }
        guard end <= 5, let scheme = named(bytes, length: end) else { throw .unsupportedScheme }
        guard startsAuthority(bytes, at: end + 1) else { throw .noHost }
        return (scheme, true, end + 3)
    }

    private static func named(_ bytes: borrowing Span<UInt8>, length: Int) -> URLScheme? {
        var word = ASCIIWord()
        for index in 0..<length { word.append(URLByte.lowercased(bytes[index])) }
        if word == SchemeNames.http { return .http }
        if word == SchemeNames.https { return .https }
        return nil
    }

    private static func startsAuthority(_ bytes: borrowing Span<UInt8>, at index: Int) -> Bool {
        index + 1 < bytes.count && bytes[index] == URLByte.slash
            && bytes[index + 1] == URLByte.slash
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        URLByte.isLetter(byte) || URLByte.isDigit(byte)
            || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == URLByte.dot
    }
}

private enum SchemeNames {
    static let http: ASCIIWord = "http"
    static let https: ASCIIWord = "https"
}
