internal import Digest

/// Nuke 9.6 to 13.2, its DataCache: SHA-1 of the key.
///
/// Nothing ages there; what was read longest ago goes first where the folder is too large.
struct NukeLayout: LibraryLayout {
    let name = "nuke"
    let summary = "Nuke 9.6 to 13.2, DataCache (iOS)"
    let recipe = 1
    let folder = "com.github.kean.Nuke.DataCache"
    let dates = FileDates.any

    func fileName(of key: String) throws -> String {
        try key.digest(.sha1)
    }
}
