/// Reads JSON Lines: an object a line.
///
/// Of it `url` (or the key that is named in its place), `hash` and `hits` count. Blank lines do not.
struct JSONLinesManifest: ManifestParser {
    static let longestLine = 1 << 20

    private var lines = ManifestLines(longestLine: Self.longestLine)
    private var object: JSONEntryReader

    init(column: String) { object = JSONEntryReader(column: column) }

    var line: Int { lines.number }

    mutating func read(_ bytes: Span<UInt8>, item: (ManifestItem) throws -> Void) throws {
        try lines.read(bytes, item: item) { try Self.read($0, $1, &object, item) }
    }

    mutating func finish(item: (ManifestItem) throws -> Void) throws {
        try lines.finish(item: item) { try Self.read($0, $1, &object, item) }
    }

    private static func read(
        _ number: Int,
        _ text: Span<UInt8>,
        _ object: inout JSONEntryReader,
        _ item: (ManifestItem) throws -> Void
    ) throws {
        if ManifestText.trimmed(text).isEmpty { return }
        try item(object.read(text, line: number))
    }
}
