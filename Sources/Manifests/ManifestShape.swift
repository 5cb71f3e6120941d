/// All that has to be known of a manifest to read it.
package struct ManifestShape: Hashable, Sendable {
    package static let standardColumn = "url"

    package var format: ManifestFormat
    /// The column of a table, or the key of an object, that has the URL.
    package var column: String
    /// Scheme and host of an access log's paths, as in `https://img.example.com`; `nil` where its
    /// lines name their hosts.
    package var base: String?

    package init(_ format: ManifestFormat) {
        self.format = format
        column = Self.standardColumn
    }

    /// A setting that does not fit.
    package struct Problem: Error, Hashable, Sendable {
        /// `column` or `base`.
        package var key: String
        package var message: String
    }

    /// Takes over what is given.
    ///
    /// - Parameters:
    ///   - column: for formats that have columns.
    ///   - base: for access logs; it may end with a slash.
    /// - Throws: what does not fit the format, or is no base.
    package mutating func set(column: String?, base: String?) throws(Problem) {
        if let column {
            guard format.hasColumns else {
                let message = "a manifest of the format \"\(format.rawValue)\" has no columns"
                throw Problem(key: "column", message: message)
            }
            self.column = column
        }
        if let base {
            guard format == .clf else {
                throw Problem(key: "base", message: "only an access log (format \"clf\") has one")
            }
            guard let base = Self.base(base) else {
                let message =
                    "\"\(base)\" is not a scheme and a host, as in \"https://img.example.com\""
                throw Problem(key: "base", message: message)
            }
            self.base = base
        }
    }

    /// A base without the slash it may end with; `nil` where the text is not a scheme and a host.
    private static func base(_ text: String) -> String? {
        let lowered = text.lowercased()
        guard let scheme = ["http://", "https://"].first(where: { lowered.hasPrefix($0) }) else {
            return nil
        }
        var host = text.dropFirst(scheme.count)
        if host.last == "/" { host.removeLast() }
        let isHost = host.utf8.allSatisfy { byte in
            byte > 0x20 && byte < 0x7F && !"/?#@\\".utf8.contains(byte)
        }
        return isHost && !host.isEmpty && host.first != ":" ? scheme + host : nil
    }
}
