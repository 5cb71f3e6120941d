/// Reads an access log of a web server in the common or the combined format, or in one that begins with
/// `host:port` (Apache's `vhost_combined`).
///
/// A GET that was answered with 200 or 304 is an entry of one hit.
struct AccessLog: ManifestParser {
    private let base: String?
    private var lines = ManifestLines(longestLine: EntryFields.longestURL)
    private var hasEntries = false

    init(base: String?) { self.base = base }

    var line: Int { lines.number }

    mutating func read(_ bytes: Span<UInt8>, item: (ManifestItem) throws -> Void) throws {
        try lines.read(bytes, item: item) { try Self.read($0, $1, base, &hasEntries, item) }
    }

    mutating func finish(item: (ManifestItem) throws -> Void) throws {
        try lines.finish(item: item) { try Self.read($0, $1, base, &hasEntries, item) }
    }

    private static func read(
        _ number: Int,
        _ text: Span<UInt8>,
        _ base: String?,
        _ hasEntries: inout Bool,
        _ item: (ManifestItem) throws -> Void
    ) throws {
        if ManifestText.trimmed(text).isEmpty { return }
        guard let line = AccessLogLine(text) else {
            return try item(.bad(line: number, reason: "not a line of an access log"))
        }
        if let skip = line.skip { return try item(.skipped(skip)) }
        let target = line.unescapedTarget(of: text)
        var url = target
        if !AccessLogLine.isURL(target.span) {
            guard target.first == UInt8(ascii: "/") else {
                let reason = "what was asked for is neither a path nor a URL"
                return try item(.bad(line: number, reason: reason))
            }
            guard let base = line.base(of: text) ?? base.map({ Array($0.utf8) }) else {
                let reason = "names no host"
                if hasEntries { return try item(.bad(line: number, reason: reason)) }
                // Else each of millions of lines would be a bad one.
                throw ManifestFault(
                    code: .noHost,
                    message: "line \(number) \(reason): say which the log is of, as a base such as"
                        + " \"https://img.example.com\""
                )
            }
            url = base + target
        }
        hasEntries = true
        try item(.entry(ManifestEntry(line: number, url: ManifestText.url(url.span))))
    }
}
