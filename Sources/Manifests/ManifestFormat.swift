/// How a manifest is written.
package enum ManifestFormat: String, Sendable, CaseIterable, Hashable {
    /// One URL a line.
    case text
    /// Fields with commas between them, below a header row.
    case csv
    /// Fields with tabs between them, below a header row.
    case tsv
    /// One JSON object a line.
    case jsonl
    /// An access log in the common or the combined format.
    case clf

    /// The format that a file's name tells: by what it ends with, before `.gz` or `.zst` and before
    /// the number or date of a rotated log; text where it tells nothing.
    package init(fileName: String) {
        var name = fileName.lowercased()[...]
        for ending in CompressedEnding.allCases where name.hasSuffix(ending.rawValue) {
            name.removeLast(ending.rawValue.utf8.count)
            break
        }
        let number = name.reversed().prefix { $0.isASCII && $0.isNumber }.count
        if number > 0, let before = name.dropLast(number).last, before == "." || before == "-" {
            name.removeLast(number + 1)
        }
        let dot = name.lastIndex(of: ".")
        switch dot.map({ name[$0...].dropFirst() }) {
        case "csv": self = .csv
        case "tsv", "tab": self = .tsv
        case "jsonl", "ndjson": self = .jsonl
        case "log": self = .clf
        default: self = .text
        }
    }

    /// Whether a file's name says that it is compressed.
    package static func isCompressed(fileName: String) -> Bool {
        CompressedEnding.allCases.contains { fileName.lowercased().hasSuffix($0.rawValue) }
    }

    /// Whether the URL is in a column with a name.
    package var hasColumns: Bool { self == .csv || self == .tsv || self == .jsonl }
}

/// What the name of a compressed file ends with.
enum CompressedEnding: String, CaseIterable {
    case gzip = ".gz"
    case zstd = ".zst"
}
