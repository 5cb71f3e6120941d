package import Store

/// An original that is wanted.
package struct FetchRequest: Sendable {
    /// The URL of the original, percent-encoded; sent as it is.
    package var url: String
    /// The source's key: a mirror maps its path, decoded, and ignores a query.
    package var path: String
    /// Asked in this order; the first that has the original wins.
    package var chain: [DataSource]
    /// The same original on other hosts of the origin, for when a host does not answer.
    package var otherHosts: [String]
    /// Sent to the URL's host, and to no other that it may redirect to.
    package var headers: [(name: String, value: String)]
    package var held: HeldOriginal?
    /// The digest that the manifest promises.
    package var expected: PromisedDigest?

    package init(
        url: String,
        path: String,
        chain: [DataSource] = [.http],
        otherHosts: [String] = [],
        headers: [(name: String, value: String)] = [],
        held: HeldOriginal? = nil,
        expected: PromisedDigest? = nil
    ) {
        self.url = url
        self.path = path
        self.chain = chain
        self.otherHosts = otherHosts
        self.headers = headers
        self.held = held
        self.expected = expected
    }

    /// What a page may repeat of the request and a message may not: values of queries and headers.
    var secrets: [String] {
        var secrets: [String] = []
        for url in [url] + otherHosts {
            let query = url.utf8.drop { $0 != UInt8(ascii: "?") }
            secrets += query.split { [0x26, 0x3D, 0x3F].contains($0) }.compactMap { String($0) }
        }
        // "Bearer abc": a page may repeat the second word alone.
        return secrets + headers.flatMap { $0.value.split(separator: " ").map { String($0) } }
    }
}
