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
            return try ContentDigest(of: Array(key.utf8).span, .md5).hex
        }
        let escaped = Set(".:/%".utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        var name: [UInt8] = []
        for byte in key.utf8 {
            if byte < 0x80 && !escaped.contains(byte) {
                name.append(byte)
            } else {
                name += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        guard name.count <= Self.longestName else { throw Refusal.tooLong }
        return String(decoding: name, as: UTF8.self)
    }
}
