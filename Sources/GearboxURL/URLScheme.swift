/// The schemes that are fetched.
enum URLScheme: Sendable {
    case http, https

    init?(_ text: String) {
        switch text.lowercased() {
        case "http": self = .http
        case "https": self = .https
        default: return nil
        }
    }

    var defaultPort: Int { self == .http ? 80 : 443 }
    /// What stands before the host.
    var prefix: ASCIIWord { self == .http ? Self.httpPrefix : Self.httpsPrefix }

    private static let httpPrefix: ASCIIWord = "http://"
    private static let httpsPrefix: ASCIIWord = "https://"
}
