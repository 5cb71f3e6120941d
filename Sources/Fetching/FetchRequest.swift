package import Store

/// Where originals are looked for.
package enum DataSource: Sendable, Hashable {
    /// A folder that holds the origin's paths.
    case mirror(directory: String)
    case http
}

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
}
