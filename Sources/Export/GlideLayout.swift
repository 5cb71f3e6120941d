internal import Digest

/// Glide 4 and 5, the data cache: SHA-256 of the URL, and a journal.
///
/// Dates mean nothing to it: the journal's order is the order in which files go, first line first.
struct GlideLayout: LibraryLayout {
    let name = "glide"
    let summary = "Glide 4 and 5 (Android)"
    let recipe = 1
    let folder = "image_manager_disk_cache"
    let dates = FileDates.any
    /// The kind of file, its version, the app's version, files to an entry.
    let journalHead: [String]? = ["libcore.io.DiskLruCache", "1", "1", "1", ""]

    func fileName(of key: String) throws -> String {
        try key.digest(.sha256) + ".0"
    }

    func line(for fileName: String, bytes: Int, in folder: ExportFolder) -> String? {
        "CLEAN \(fileName.dropLast(2)) \(bytes)"
    }
}
