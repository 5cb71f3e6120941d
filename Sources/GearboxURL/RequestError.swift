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

extension RequestError: CustomStringConvertible {
    package var description: String { message }
}

/// One sentence for each thing that can be wrong.
///
/// None of them quotes the URL, which may hold a password or a signature.
extension RequestError {
    static let noScheme = RequestError(
        code: .noScheme,
        message: "the URL has no scheme; write it with http:// or https://"
    )
    static let noDefaultScheme = RequestError(
        code: .noScheme,
        message: "the URL begins with // and no default scheme is set; set one or write the scheme"
    )
    static let unsupportedScheme = RequestError(
        code: .unsupportedScheme,
        message: "the URL's scheme is not supported; only http and https are"
    )
    static let noHost = RequestError(
        code: .noHost,
        message: "the URL has no host; write it as http://host/path"
    )
    static let userInfo = RequestError(
        code: .userInfo,
        message: "the URL holds a user name or password before its host; remove everything up to @"
    )
    static let internationalHost = RequestError(
        code: .badHost,
        message: "the URL's host has bytes outside ASCII; write it in its xn-- form"
    )
    static let badHost = RequestError(
        code: .badHost,
        message: "the URL's host holds a byte that no host name may hold; correct the host"
    )
    static let badAddress = RequestError(
        code: .badHost,
        message: "the URL's host is not an IPv6 address in brackets; correct it, without a zone"
    )
    static let badPort = RequestError(
        code: .badHost,
        message: "the URL's port is not a number from 1 to 65535; correct or remove it"
    )
}
