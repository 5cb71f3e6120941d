/// How a URL may be treated.
package enum RequestClass: String, Sendable, CaseIterable, Hashable {
    /// Rewritten to its canonical form.
    case simple
    /// Must not be rewritten: fetched verbatim, stored under its own key, never related.
    case opaque
    /// Carries a signature: fetched verbatim.
    case signed
}

/// A URL, understood: what it asks for and the names that this has here.
package struct Request: Hashable, Sendable {
    package var requestClass: RequestClass
    /// The canonical URL, with scheme and host.
    package var canonical: String
    /// The canonical URL without scheme and host: begins at the path.
    package var key: String
    /// The URL as given without scheme, host and fragment: the key of a client that does not
    /// canonicalise.
    package var rawKey: String
    /// The name of the origin: the group that the host belongs to, else the host (with its port).
    package var origin: String
    /// The key of the plain source (path and kept parameters); `nil` for what is never related.
    package var source: String?
    /// What is asked for, after gears; `nil` for a plain source and for what is opaque.
    package var directives: Directives?
    /// The directives before gears; `nil` where `directives` is.
    package var requested: Directives?
    /// The URL that fetches the original: the source on the host it was given on, without
    /// directives; for opaque and signed URLs the URL as given.
    package var fetchURL: String

    package init(
        requestClass: RequestClass,
        canonical: String,
        key: String,
        rawKey: String,
        origin: String,
        source: String?,
        directives: Directives?,
        requested: Directives?,
        fetchURL: String
    ) {
        self.requestClass = requestClass
        self.canonical = canonical
        self.key = key
        self.rawKey = rawKey
        self.origin = origin
        self.source = source
        self.directives = directives
        self.requested = requested
        self.fetchURL = fetchURL
    }
}

/// Why a line is not a URL that has a key.
package struct RequestError: Error, Hashable, Sendable {
    package enum Code: String, Sendable, CaseIterable, Hashable {
        case noScheme = "no-scheme"
        case unsupportedScheme = "unsupported-scheme"
        case noHost = "no-host"
        case userInfo = "user-info"
        case badHost = "bad-host"
    }

    package var code: Code
    /// What is wrong and what to do, in one line, without credentials.
    package var message: String

    package init(code: Code, message: String) {
        self.code = code
        self.message = message
    }
}
