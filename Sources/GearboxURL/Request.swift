/// A URL, understood: what it asks for and the names that this has here.
package struct Request: Hashable, Sendable {
    package var requestClass: RequestClass
    /// The canonical URL, with scheme and host.
    package var canonical: String
    /// The canonical URL without scheme and host: begins at the path.
    package var key: String
    /// The URL as given without scheme, host and fragment: the key of a client that does not
    /// canonicalise.
    ///
    /// Begins with `/` even where the URL has no path, as what is sent does.
    package var rawKey: String
    /// The URL that fetches the original: the source on the host it was given on, without
    /// directives; for opaque and signed URLs the URL as given.
    ///
    /// Bytes that may not be sent (spaces, `|`, everything outside ASCII) are percent-encoded.
    package var fetchURL: String
    /// The name of the origin: the group that the host belongs to, else the host (with its port).
    package var origin: String
    /// The key of the plain source (path and kept parameters); `nil` for what is never related.
    package var source: String?
    /// What is asked for, after gears; `nil` for a plain source and for what is opaque.
    package var directives: Directives?
    /// The directives before gears; `nil` where `directives` is.
    package var requested: Directives?
    /// The names of the unknown parameters that belong to the source, each once, in written order.
    package var unknownNames: [String]
}

extension Request {
    package init(
        requestClass: RequestClass,
        canonical: String,
        key: String,
        rawKey: String,
        origin: String,
        source: String?,
        directives: Directives?,
        requested: Directives?,
        fetchURL: String,
        unknownNames: [String] = []
    ) {
        // The members' own order: only the initialiser that the compiler makes from it builds a
        // request without copying it, which costs more than anything else here.
        self.init(
            requestClass: requestClass,
            canonical: canonical,
            key: key,
            rawKey: rawKey,
            fetchURL: fetchURL,
            origin: origin,
            source: source,
            directives: directives,
            requested: requested,
            unknownNames: unknownNames
        )
    }

    /// The URL of another key of the same origin, on the host that this one was given on.
    ///
    /// - Parameter key: a canonical key: begins at the path.
    /// - Returns: scheme and host of this request's canonical URL, and the key behind them.
    package func url(forKey key: String) -> String {
        let site = requestClass == .signed ? fetchURL : canonical
        guard let colon = site.utf8.firstIndex(of: URLByte.colon) else { return key }
        let host = site.utf8[colon...].dropFirst(3)
        let end = host.firstIndex { $0 == URLByte.slash || $0 == URLByte.question }
        return String(site[..<(end ?? site.endIndex)]) + key
    }
}
