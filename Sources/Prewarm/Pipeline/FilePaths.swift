/// Paths of files as text.
package enum FilePaths {
    /// `path` from `folder`, with `.` and `..` worked out.
    package static func joined(_ folder: String, _ path: String) -> String {
        normal(path.hasPrefix("/") ? path : folder + "/" + path)
    }

    private static func normal(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else {
                parts.append(part)
            }
        }
        return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }
}
