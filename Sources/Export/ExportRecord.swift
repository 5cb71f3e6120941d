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
          "version": "\(version)"
        }

        """
    }

    /// Whether a folder holds an export and nothing else.
    static func isIn(_ folder: String) throws -> Bool {
        let known = Set(Layouts.all.flatMap(\.products) + [name])
        let record = "\(folder)/\(name)"
        guard try Files.entries(of: folder).allSatisfy(known.contains), Files.exists(record)
        else { return false }
        let bytes = try FileReader.contents(of: record, limit: 64 * 1024)
        return bytes.starts(with: opening.utf8)
    }
}
