/// Reads a text manifest: one URL a line.
///
/// A byte order mark at the start, blank lines, lines that begin with `#`, and blanks around a URL do
/// not count. A comma is part of a URL. Of a `data:` URL that is too long its beginning is read.
struct TextManifest: ManifestParser {
    private var lines = ManifestLines(longestLine: EntryFields.longestURL)

    var line: Int { lines.number }

    mutating func read(_ bytes: Span<UInt8>, item: (ManifestItem) throws -> Void) throws {
        try lines.read(bytes, item: item) { number, text in try Self.read(number, text, item) }
    }

    mutating func finish(item: (ManifestItem) throws -> Void) throws {
        try lines.finish(item: item) { number, text in try Self.read(number, text, item) }
    }

    private static func read(
        _ number: Int,
        _ text: Span<UInt8>,
        _ item: (ManifestItem) throws -> Void
    ) throws {
        let url = ManifestText.trimmed(text)
        guard let first = url.first, text[first] != UInt8(ascii: "#") else { return }
        let entry = ManifestEntry(line: number, url: ManifestText.url(text.extracting(url)))
        try item(.entry(entry))
    }
}
