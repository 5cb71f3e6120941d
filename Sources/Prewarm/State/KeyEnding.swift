/// What a key holds behind what it shares with its source: for the variants of most sources there are
/// few of them.
struct KeyEnding: Sendable, Hashable {
    /// What the key begins with.
    enum Lead: Int, Sendable {
        case nothing
        /// The source's path up to its first `?`.
        case stem
        /// The whole path; nothing is behind it.
        case path
    }

    var lead: Lead
    var text: String

    init(of keyText: String, path pathText: String) {
        if keyText == pathText {
            lead = .path
            text = ""
            return
        }
        let key = keyText.utf8Span.span
        let path = pathText.utf8Span.span
        var end = 0
        while end < key.count && end < path.count && key[end] == path[end]
            && key[end] != Self.question
        { end += 1 }
        let isStem = Self.isEnd(end, of: key) && Self.isEnd(end, of: path)
        lead = isStem ? .stem : .nothing
        text = isStem ? String(keyText.utf8.dropFirst(end)) ?? "" : keyText
    }

    /// - Returns: `nil` where the lead is none.
    init?(lead: Int, text: String) {
        guard let lead = Lead(rawValue: lead) else { return nil }
        self.lead = lead
        self.text = text
    }

    /// The number it is found by.
    var nameHash: Int {
        var hash = StableHash()
        hash.add(UInt64(lead.rawValue))
        hash.add(text)
        return Int(truncatingIfNeeded: hash.value)
    }

    private static let question = UInt8(ascii: "?")

    private static func isEnd(_ place: Int, of text: borrowing Span<UInt8>) -> Bool {
        place == text.count || text[place] == question
    }
}
