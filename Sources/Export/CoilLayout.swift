internal import Digest

/// Coil 3: SHA-256 of the URL, a file of metadata to each picture, and a journal.
///
/// Empty metadata is what Coil takes for a picture that was added by hand: it is shown without asking
/// any server. Dates mean nothing to it.
struct CoilLayout: LibraryLayout {
    let name = "coil"
    let summary = "Coil 3 (Android)"
    let recipe = 1
    let folder = "coil3_disk_cache"
    let dates = FileDates.any
    /// The kind of file, its version, the app's version, files to an entry.
    let journalHead: [String]? = ["libcore.io.DiskLruCache", "1", "3", "2", ""]

    func fileName(of key: String) throws -> String {
        try key.digest(.sha256) + ".1"
    }

    func line(for fileName: String, bytes: Int, in target: ExportFolder) throws -> String? {
        let digest = fileName.dropLast(2)
        try target.write("", at: "\(folder)/\(digest).0")
        return "CLEAN \(digest) 0 \(bytes)"
    }
}
