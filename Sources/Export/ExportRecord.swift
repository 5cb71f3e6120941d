internal import Digest
internal import GearboxIndex
internal import System

/// What lies beside an export and says what it is; never among the pictures, where libraries would
/// count it, read it, or delete everything because of it.
enum ExportRecord {
    static let name = "export.json"
    /// What every record begins with: a folder without it is nobody's to replace.
    private static let opening = "{\n  \"gearbox\": \"export\","

    static func text(
        _ layout: any Layout,
        _ options: ExportOptions,
        _ report: ExportReport,
        contents: [(name: String, digest: String)],
        generation: Int,
        version: String
    ) -> String {
        """
        \(opening)
          "layout": "\(layout.name)",
          "recipe": \(layout.recipe),
          "key": \(layout.takesKeys ? "\"\(options.key.rawValue)\"" : "null"),
          "generation": \(generation),
          "names": \(report.names),
          "files": \(report.files),
          "bytes": \(report.bytes),
          "refused": \(report.refusals),
          "exportedAt": "\(WallTime.now().description)",
          "version": "\(version)",
          "contents": {
        \(contents.map(line).joined(separator: ",\n"))
          }
        }

        """
    }

    /// Whether a folder holds what an export has made there, or parts of it, and nothing else.
    static func isIn(_ folder: String) throws -> Bool {
        let known = Set(Layouts.all.flatMap(\.products) + [name])
        let record = "\(folder)/\(name)"
        guard try Files.entries(of: folder).allSatisfy(known.contains), Files.exists(record)
        else { return false }
        let bytes = try FileReader.contents(of: record, limit: 64 * 1024)
        guard bytes.starts(with: opening.utf8) else { return false }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
            $0.hasSuffix(",") ? $0.dropLast() : $0
        }
        return try contents(of: folder).allSatisfy { lines.contains(line($0)[...]) }
    }

    /// What lies in a folder but for the record, each with a digest of all names below it.
    ///
    /// A file that is written anew under its name does not change it.
    static func contents(of folder: String) throws -> [(name: String, digest: String)] {
        try Files.entries(of: folder).filter { $0 != name }.map { entry in
            var hasher = try ContentHasher(.sha256)
            try digest(entry, in: folder, &hasher)
            return (entry, hasher.finish().hex)
        }
    }

    private static func digest(
        _ entry: String,
        in folder: String,
        _ hasher: inout ContentHasher
    ) throws {
        let path = "\(folder)/\(entry)"
        // No name has a slash or a NUL in it.
        hasher.update(Array(entry.utf8).span)
        guard try FileStatus(of: path, followingLinks: false).kind == .directory else {
            return hasher.update([0].span)
        }
        hasher.update([UInt8(ascii: "/")].span)
        for inner in try Files.entries(of: path) { try digest(inner, in: path, &hasher) }
        hasher.update([0].span)
    }

    private static func line(_ content: (name: String, digest: String)) -> String {
        "    \"\(content.name)\": \"\(content.digest)\""
    }
}
