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

    /// Also of what is no URL for the sake of its user name and password: one that lacks its `//`, or
    /// whose password has a slash.
    static func withoutUser(_ url: String) -> String {
        let start = startOfAuthority(url)
        let beginning = url[start...].prefix { $0 != "?" && $0 != "#" }
        let authority = beginning.prefix { $0 != "/" }
        let hasPassword =
            authority.firstIndex(of: ":").map { colon in
                authority.first != "[" && !authority[colon...].dropFirst().allSatisfy(\.isNumber)
            } ?? false
        let at =
            authority.lastIndex(of: "@") ?? (hasPassword ? beginning.lastIndex(of: "@") : nil)
        // Without its // a name with @ may be a file's.
        guard let at, hasPassword || start > url.startIndex else { return url }
        return url[..<start] + "..." + url[at...]
    }

    private static func startOfAuthority(_ url: String) -> String.Index {
        if let mark = url.firstRange(of: "//"),
            url[..<mark.lowerBound].allSatisfy({ $0 != "/" && $0 != "@" })
        {
            return mark.upperBound
        }
        for scheme in ["http:", "https:"] where url.lowercased().hasPrefix(scheme) {
            return url.index(url.startIndex, offsetBy: scheme.count)
        }
        return url.startIndex
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
