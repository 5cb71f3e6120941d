/// Puts a request together: begins with scheme, host and path, which every canonical URL has.
struct RequestAssembly: ~Copyable {
    var url = URLWriter()
    private let hostStart: Int
    /// Where the path begins.
    let siteEnd: Int
    let pathEnd: Int

    @inline(__always)
    init(
        _ given: borrowing Span<UInt8>,
        _ parts: URLParts,
        _ normal: borrowing Span<UInt8>,
        _ path: Range<Int>
    ) {
        url.append(parts.scheme.prefix)
        hostStart = url.count
        url.appendLowercased(given, parts.authority.host)
        if let port = parts.authority.port {
            url.append(URLByte.colon)
            url.append(port)
        }
        siteEnd = url.count
        if path.isEmpty { url.append(URLByte.slash) } else { url.append(normal, path) }
        pathEnd = url.count
    }

    /// The host with its port, as an origin that is not listed is named.
    var host: String { url.string(hostStart..<siteEnd) }

    @inline(__always)
    func entry(in origins: OriginTable) -> OriginTable.Entry {
        let host = hostStart..<siteEnd
        return url.reading { origins.entry(for: $0, host) }
    }

    /// The key as given: `known` where that has the same bytes.
    @inline(__always)
    func rawKey(
        _ given: borrowing Span<UInt8>,
        _ parts: URLParts,
        known: String,
        at range: Range<Int>
    ) -> String {
        let target = parts.target
        if target.count == range.count, url.holds(given, target, at: range.lowerBound) {
            return known
        }
        return String(rawKey: given, target, addsPath: parts.path.isEmpty)
    }
}

extension String {
    /// What stands behind the host, byte for byte; bytes that are not UTF-8 are percent-encoded,
    /// so that two keys are one String only where they are the same bytes.
    init(rawKey given: borrowing Span<UInt8>, _ target: Range<Int>, addsPath: Bool) {
        if !addsPath, let text = try? UTF8Span(validating: given.extracting(target)) {
            self.init(copying: text)
            return
        }
        var bytes: [UInt8] = addsPath ? [URLByte.slash] : []
        for index in target { bytes.append(given[index]) }
        if (try? UTF8Span(validating: bytes.span)) == nil {
            let unchecked = bytes
            bytes = []
            for byte in unchecked {
                if byte < 0x80 {
                    bytes.append(byte)
                } else {
                    PercentEncoding.appendEncoded(byte, to: &bytes)
                }
            }
        }
        self.init(decoding: bytes, as: UTF8.self)
    }
}
