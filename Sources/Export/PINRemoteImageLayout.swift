internal import Digest

/// PINRemoteImage with PINCache: the key itself, percent-encoded; MD5 of one that is too long.
///
/// It removes what was written thirty days ago, so the dates are those of the export.
struct PINRemoteImageLayout: LibraryLayout {
    let name = "pinremoteimage"
    let summary = "PINRemoteImage with PINCache (iOS)"
    let recipe = 1
    let folder = "com.pinterest.PINDiskCache.PINRemoteImageManagerCache"
    let dates = FileDates.now
    let hasMixedCase = true

    private static let longestKey = 200
    private static let longestName = 255

    func fileName(of key: String) throws -> String {
        // The library counts as its strings do, in UTF-16.
        guard key.utf16.count <= Self.longestKey else {
            return try key.digest(.md5)
        }
        let escaped = Set(".:/%".utf8)
        let name = key.escaped { $0 < 0x80 && !escaped.contains($0) }
        guard name.utf8.count <= Self.longestName else { throw Refusal.tooLong }
        return name
    }
}
