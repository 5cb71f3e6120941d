internal import GearboxURL

/// A URL as a log may hold it: without user name, password or the values of a signature, without
/// what would steer a terminal, and not longer than a line.
enum ShownURL {
    private static let longest = 160

    static func of(_ url: String) -> String {
        var shown = withoutSignature(withoutUser(url)).withoutControls
        if shown.count > longest { shown = shown.prefix(longest - 3) + "..." }
        return shown
    }

    /// The same for the beginning of a message, where nothing, or blanks, must be seen as such.
    static func quoted(_ url: String) -> String {
        let shown = of(url)
        return shown.allSatisfy(\.isWhitespace) ? "\"\(shown)\"" : shown
    }

    private static func withoutUser(_ url: String) -> String {
        guard let start = url.firstRange(of: "//")?.upperBound else { return url }
        let authority = url[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let at = authority.lastIndex(of: "@") else { return url }
        return url[..<start] + "..." + url[at...]
    }

    private static func withoutSignature(_ url: String) -> String {
        guard let question = url.firstIndex(of: "?") else { return url }
        let items = url[url.index(after: question)...].split(
            separator: "&",
            omittingEmptySubsequences: false
        )
        let shown = items.map { item -> Substring in
            guard let equals = item.firstIndex(of: "="),
                SignatureNames.contains(item[..<equals])
            else { return item }
            return item[...equals] + "..."
        }
        return url[...question] + shown.joined(separator: "&")
    }
}
