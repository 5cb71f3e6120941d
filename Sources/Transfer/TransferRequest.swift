/// One thing to get.
package struct TransferRequest: Sendable {
    /// `http` or `https`; sent byte for byte, but for bytes that no request line may hold.
    package var url: String
    /// Sent to the URL's own scheme, host and port only, never elsewhere by a redirect.
    package var headers: [(name: String, value: String)]
    /// The validator of `If-None-Match`.
    package var entityTag: String?
    /// The validator of `If-Modified-Since`, as it came in `Last-Modified`.
    package var lastModified: String?
    /// How many bytes of body are taken, after unpacking; more is `tooLarge`.
    package var maximumBytes: Int
    /// Whether connections that are open already are left alone: a broken one breaks every
    /// stream on it.
    package var needsFreshConnection: Bool
    /// Whether whoever asks knows another host: one that does not answer is not waited for.
    package var hasAlternative: Bool

    package init(
        url: String,
        headers: [(name: String, value: String)] = [],
        entityTag: String? = nil,
        lastModified: String? = nil,
        maximumBytes: Int,
        needsFreshConnection: Bool = false,
        hasAlternative: Bool = false
    ) {
        self.url = url
        self.headers = headers
        self.entityTag = entityTag
        self.lastModified = lastModified
        self.maximumBytes = maximumBytes
        self.needsFreshConnection = needsFreshConnection
        self.hasAlternative = hasAlternative
    }

    var hasHeaders: Bool { !headers.isEmpty || entityTag != nil || lastModified != nil }

    /// The header lines for one hop.
    func lines(withOwnHeaders: Bool) -> [String] {
        var lines = withOwnHeaders ? headers.map { "\($0.name): \($0.value)" } : []
        if let entityTag { lines.append("If-None-Match: \(entityTag)") }
        if let lastModified { lines.append("If-Modified-Since: \(lastModified)") }
        return lines
    }
}
