/// Where the URLs and keys of a request stand in the bytes that were written for it.
///
/// Everything is written into one buffer, then each String is made once: equal ranges are one.
struct RequestLayout {
    /// The host with its port, as an origin that is not listed is named.
    var host = 0..<0
    var canonical = 0..<0
    var key = 0..<0
    /// The key of the plain source; `nil` for what is never related.
    var source: Range<Int>?
    var fetchURL = 0..<0

    /// The longest that the items of directives become, in any dialect.
    static let directivesCapacity = 128

    /// Writes scheme, host and port, which every canonical URL begins with.
    @inline(__always)
    mutating func writeSite(
        _ given: borrowing Span<UInt8>,
        _ parts: URLParts,
        _ output: inout OutputSpan<UInt8>
    ) {
        output.append(parts.scheme.prefix)
        let start = output.count
        output.appendLowercased(given, parts.authority.host)
        if let port = parts.authority.port {
            output.append(URLByte.colon)
            output.append(port)
        }
        host = start..<output.count
    }

    /// Writes the path; an empty one is `/`.
    @inline(__always)
    func writePath(
        _ normal: borrowing Span<UInt8>,
        _ path: Range<Int>,
        _ output: inout OutputSpan<UInt8>
    ) {
        if path.isEmpty { output.append(URLByte.slash) } else { output.append(normal, path) }
    }
}
