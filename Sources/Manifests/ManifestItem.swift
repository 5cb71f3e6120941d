/// What a line of a manifest comes to.
package enum ManifestItem: Hashable, Sendable {
    case entry(ManifestEntry)
    /// A line that cannot be read as an entry.
    case bad(line: Int, reason: String)
    /// A line of an access log that is in order and asks for no image.
    case skipped(ManifestSkip)
}

/// Why a line of an access log is no entry; the word is what such lines are counted under.
package enum ManifestSkip: String, Hashable, Sendable, CaseIterable {
    case otherMethod = "not GET"
    case otherStatus = "not 200 or 304"
    /// `"-"`, a TLS handshake on the wrong port, and other junk in the place of a request.
    case noRequest = "no request"
}

/// One requested image URL.
package struct ManifestEntry: Hashable, Sendable {
    /// Counted from 1; where a record has several, its first.
    package var line: Int
    /// As given; bytes that are not UTF-8 are percent-encoded, which the canonical form does anyway.
    package var url: String
    /// `md5:`, `sha1:` or `sha256:` and the lower-case hexadecimal digest that the original should
    /// have.
    package var hash: String?
    /// How often the URL was asked for.
    package var hits: Int

    package init(line: Int, url: String, hash: String? = nil, hits: Int = 1) {
        self.line = line
        self.url = url
        self.hash = hash
        self.hits = hits
    }

    /// Whether the URL holds its picture itself, so that there is nothing to fetch.
    package var isDataURL: Bool {
        guard let first = url.utf8.first, first | 0x20 == UInt8(ascii: "d") else { return false }
        return String(decoding: url.utf8.prefix(5), as: UTF8.self).lowercased() == "data:"
    }
}
