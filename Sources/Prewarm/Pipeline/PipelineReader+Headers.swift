/// Request headers.
extension PipelineReader {
    /// Headers that HTTP or Gearbox sets: with another value an answer would not be what it is taken for.
    private static let ownNames: Set<String> = [
        "accept-encoding", "connection", "content-length", "expect", "host", "keep-alive",
        "proxy-authorization", "proxy-connection", "range", "te", "trailer", "transfer-encoding",
        "upgrade",
    ]

    func headers(_ section: Section) -> [String: String] {
        var headers: [String: String] = [:]
        var names: [String: String] = [:]
        for name in section.keys {
            guard let text = section.string(name), let value = expanded(text, name, section) else {
                continue
            }
            let folded = name.lowercased()
            if !Self.isToken(name) {
                section.complain(
                    name,
                    "is no header's name: letters, digits and !#$%&'*+-.^_`|~ only"
                )
            } else if Self.ownNames.contains(folded) || folded.hasPrefix("if-") {
                section.complain(name, "is set by Gearbox itself: remove it")
            } else if let other = names.updateValue(name, forKey: folded) {
                section.complain(name, "is the same header as \(other)")
            }
            if Self.hasControls(value) {
                section.complain(name, "a header holds no line ends or control characters")
            }
            headers[name] = value
        }
        return headers
    }

    static func hasControls(_ text: String) -> Bool {
        text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }

    /// RFC 9110's `token`.
    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
