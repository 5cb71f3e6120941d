internal import CCurl

/// A URL as libcurl reads it: what is connected to is what was checked.
package struct Location: Sendable, Hashable {
    /// Without fragment; every byte may stand in a request line.
    package let url: String
    /// `http` or `https`.
    package let scheme: String
    /// Lower-case, without port and brackets.
    package let host: String
    /// The one given, or else the scheme's own.
    package let port: Int

    /// Who is asked: the host with its port, as two servers may share a name.
    ///
    /// Kept, as it is asked for many times while a transfer lasts.
    package let server: String

    /// The same for a person: the port where it is not the scheme's own.
    package var shownServer: String {
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return port == (scheme == "https" ? 443 : 80) ? name : "\(name):\(port)"
    }

    package init(_ url: String) throws(TransferError) {
        try self.init(url, relativeTo: nil)
    }

    /// Where a `Location` field leads from here.
    package func following(_ field: String) throws(TransferError) -> Location {
        try Location(field, relativeTo: self)
    }

    private init(_ text: String, relativeTo base: Location?) throws(TransferError) {
        if let scheme = Self.foreignScheme(of: text) {
            throw Self.unsupported(
                scheme,
                isRedirect: base != nil,
                TransferError.shown(base?.url ?? text)
            )
        }
        let handle = unsafe curl_url()
        defer { unsafe curl_url_cleanup(handle) }
        let wanted = Self.escaped(text)
        func subject() -> String { TransferError.shown(base?.url ?? text) }
        // The path is asked for as it was given: a signature may cover its dots.
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_DISALLOW_USER)
        if let base { _ = unsafe curl_url_set(handle, CURLUPART_URL, base.url, flags) }
        let asIs = base == nil ? UInt32(CURLU_PATH_AS_IS) : 0
        let result = unsafe curl_url_set(handle, CURLUPART_URL, wanted, flags | asIs)
        guard result == CURLUE_OK else {
            throw Self.unreadable(result, isRedirect: base != nil, subject())
        }
        _ = unsafe curl_url_set(handle, CURLUPART_FRAGMENT, nil, 0)
        guard
            let url = unsafe Self.isWritten(wanted) ? wanted : Self.part(CURLUPART_URL, of: handle),
            let scheme = unsafe Self.part(CURLUPART_SCHEME, of: handle)?.lowercased(),
            let host = unsafe Self.part(CURLUPART_HOST, of: handle), !host.isEmpty,
            let port = unsafe Self.part(CURLUPART_PORT, of: handle).flatMap({ Int($0) })
        else {
            throw Self.unreadable(CURLUE_NO_HOST, isRedirect: base != nil, subject())
        }
        self.url = url
        self.scheme = scheme
        self.port = port
        let name = host.utf8.first == UInt8(ascii: "[") ? String(host.dropFirst().dropLast()) : host
        self.host = name.utf8.contains { (0x41...0x5A).contains($0) } ? name.lowercased() : name
        server = "\(self.host):\(port)"
    }

    /// The scheme of what is no relative reference, unless it is one that is fetched.
    private static func foreignScheme(of text: String) -> String? {
        let name = text.utf8.prefix { $0.isLetter || (0x30...0x39).contains($0) || isMark($0) }
        guard name.first?.isLetter == true,
            text.utf8[name.endIndex...].first == UInt8(ascii: ":"), let scheme = String(name)
        else { return nil }
        if scheme == "http" || scheme == "https" { return nil }
        let lowercased = scheme.lowercased()
        return lowercased == "http" || lowercased == "https" ? nil : String(lowercased.prefix(20))
    }

    /// `+`, `-` or `.`.
    private static func isMark(_ byte: UInt8) -> Bool {
        byte == 0x2B || byte == 0x2D || byte == 0x2E
    }

    private static func unsupported(
        _ scheme: String,
        isRedirect: Bool,
        _ subject: String
    ) -> TransferError {
        TransferError(
            code: .unsupportedProtocol,
            subject: subject,
            message: isRedirect
                ? "redirects to \(scheme), only http and https are followed"
                : "\(scheme) is not fetched, only http and https are"
        )
    }

    private static func unreadable(
        _ result: CURLUcode,
        isRedirect: Bool,
        _ subject: String
    ) -> TransferError {
        let problem =
            result == CURLUE_USER_NOT_ALLOWED
            ? "carries a user name or password, which is not sent" : "cannot be read"
        return TransferError(
            code: .badURL,
            subject: subject,
            message: (isRedirect ? "the URL that it redirects to " : "the URL ") + problem
        )
    }

    /// Whether libcurl would write a URL that it could read as it is; writing it costs more than reading.
    private static func isWritten(_ url: String) -> Bool {
        (url.hasPrefix("http://") || url.hasPrefix("https://")) && !url.utf8.contains(0x23)
    }

    private static func part(_ part: CURLUPart, of handle: OpaquePointer?) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        let flags = part == CURLUPART_PORT ? UInt32(CURLU_DEFAULT_PORT) : 0
        guard unsafe curl_url_get(handle, part, &text, flags) == CURLUE_OK, let text = unsafe text
        else { return nil }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
    }

    /// Encodes what no request line may hold, and leaves what is encoded as it is.
    private static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) else { return text }
        let bytes = text.utf8.flatMap { $0 <= 0x20 || $0 >= 0x7F ? $0.encoded : [$0] }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
}
