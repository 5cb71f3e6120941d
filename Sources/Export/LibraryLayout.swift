internal import GearboxIndex
internal import System

/// A layout of a client library: every picture is one file, named by its key.
protocol LibraryLayout: Layout {
    /// The library's own folder, as it is called below the app's.
    var folder: String { get }
    /// What the files' dates have to be.
    var dates: FileDates { get }
    /// Whether names are told apart by capitals alone, so that a disk that ignores them could merge two.
    var hasMixedCase: Bool { get }

    /// The name of a picture's file below `folder`.
    func fileName(of key: String) throws -> String

    /// Adds what the library needs beside a picture, and the line of its journal.
    func line(for fileName: String, bytes: Int, in folder: ExportFolder) throws -> String?

    /// What stands above the journal's lines; `nil` where the library keeps none.
    var journalHead: [String]? { get }
}

extension LibraryLayout {
    var products: [String] { [String(folder.prefix { $0 != "/" })] }
    var takesKeys: Bool { true }
    var hasMixedCase: Bool { false }
    var journalHead: [String]? { nil }
    func line(for fileName: String, bytes: Int, in folder: ExportFolder) throws -> String? { nil }

    func fill(_ target: ExportFolder, from contents: ExportContents) throws {
        var journal = (journalHead ?? []).map { $0 + "\n" }.joined()
        var folded: Set<String> = []
        try target.makeFolder(folder)
        try contents.forEachKey { key, name in
            do {
                let fileName = try fileName(of: key)
                if hasMixedCase && !folded.insert(fileName.lowercased()).inserted {
                    throw Refusal.sameButForCase
                }
                try target.place(name, at: "\(folder)/\(fileName)", dates: dates)
                if let line = try line(for: fileName, bytes: name.bytes, in: target) {
                    journal += line + "\n"
                }
            } catch let refusal as Refusal {
                target.refuse(key, of: name, refusal)
            }
        }
        // Last, and with its last line ended: a library that finds it otherwise deletes everything.
        if journalHead != nil { try target.write(journal, at: "\(folder)/journal") }
    }
}

/// What the dates of an exported file have to be.
enum FileDates: Hashable, Sendable {
    /// The library does not look at them: a file may be a hard link of the store's, whose dates they are.
    case any
    /// The library counts a picture's age from them, so they are those of the export.
    case now
    /// The library takes them for the moment of expiry.
    case moment(WallTime)
}
