internal import Digest

/// What a table's row or an object says of an entry, before it is known to be one.
///
/// An empty field is an absent one.
struct EntryFields {
    /// URLs in practice end far below.
    static let longestURL = 65_536

    var url: [UInt8] = []
    /// Whether there is a field for the URL, which may be empty.
    var hasURL = true
    var hash: [UInt8] = []
    var hits: [UInt8] = []

    mutating func removeAll() {
        url.removeAll(keepingCapacity: true)
        hasURL = true
        hash.removeAll(keepingCapacity: true)
        hits.removeAll(keepingCapacity: true)
    }

    /// The entry that begins at a line, or what is wrong with it.
    func item(line: Int, column: String) -> ManifestItem {
        let url = url.span.extracting(ManifestText.trimmed(url.span))
        guard !url.isEmpty else {
            return .bad(
                line: line,
                reason: hasURL ? "\"\(column)\" is empty" : "has no \"\(column)\""
            )
        }
        if url.count > Self.longestURL {
            // A picture in the line is passed over, however long it is.
            let beginning = ManifestText.url(url.extracting(..<ManifestLines.beginning))
            let entry = ManifestEntry(line: line, url: beginning)
            if entry.isDataURL { return .entry(entry) }
            return .bad(line: line, reason: "the URL is longer than \(Self.longestURL) bytes")
        }
        for index in url.indices where url[index] == 0x0A || url[index] == 0x0D {
            return .bad(line: line, reason: "the URL has a line break in it")
        }
        var entry = ManifestEntry(line: line, url: ManifestText.url(url))
        let hash = hash.span.extracting(ManifestText.trimmed(hash.span))
        if !hash.isEmpty {
            do throws(DigestError) {
                entry.hash = try ContentDigest(ManifestText.shown(hash)).description
            } catch {
                return .bad(line: line, reason: "\"hash\": \(error.subject) \(error.message)")
            }
        }
        let hits = hits.span.extracting(ManifestText.trimmed(hits.span))
        if !hits.isEmpty {
            guard let count = Self.wholeNumber(hits) else {
                let shown = ManifestText.shown(hits)
                return .bad(
                    line: line,
                    reason: "\"hits\" is not a whole number of 0 or more: \(shown)"
                )
            }
            entry.hits = count
        }
        return .entry(entry)
    }

    private static func wholeNumber(_ digits: Span<UInt8>) -> Int? {
        guard digits.count <= 18 else { return nil }
        var number = 0
        for index in digits.indices {
            let digit = Int(digits[index]) - 0x30
            guard (0...9).contains(digit) else { return nil }
            number = number * 10 + digit
        }
        return number
    }
}
