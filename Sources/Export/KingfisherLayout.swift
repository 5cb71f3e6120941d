internal import Digest
internal import System

/// Kingfisher 8: SHA-256 of the key.
///
/// It takes the modification date for the moment of expiry, so it lies far ahead, but below the
/// year 2038, which not every system can count beyond.
struct KingfisherLayout: LibraryLayout {
    let name = "kingfisher"
    let summary = "Kingfisher 8 (iOS)"
    let recipe = 1
    let folder = "com.onevcat.Kingfisher.ImageCache.default"
    /// 2037-01-01.
    let dates = FileDates.moment(WallTime(secondsSince1970: 2_114_380_800))

    func fileName(of key: String) throws -> String {
        try key.digest(.sha256)
    }
}
