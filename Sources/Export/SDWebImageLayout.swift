internal import Digest

/// SDWebImage 4 to 5.21: MD5 of the key and the key's path extension.
///
/// It counts a picture's age from its access date, up to 5.19 from its modification date, and drops
/// what is older than seven days.
struct SDWebImageLayout: LibraryLayout {
    let name = "sdwebimage"
    let summary = "SDWebImage 4 to 5.21 (iOS)"
    let recipe = 1
    let folder = "com.hackemist.SDImageCache/default"
    let dates = FileDates.now

    func fileName(of key: String) throws -> String {
        let digest = try key.digest(.md5)
        let ending = try Self.pathExtension(of: key)
        return ending.isEmpty || ending.utf8.count > 222 ? digest : "\(digest).\(ending)"
    }

    /// The extension of the URL's path where the key is a URL, and of the whole key where it is none.
    ///
    /// Which keys are URLs differs between systems. Where both give the same, it does not matter.
    private static func pathExtension(of key: String) throws(Refusal) -> String {
        let ending = fileExtension(of: path(of: key))
        let isPlainURL = key.utf8.allSatisfy(isURLByte)
        guard isPlainURL || ending == fileExtension(of: key[...]) else { throw .uncertainName }
        // Escapes are decoded by some, and a space makes an extension none.
        guard ending.utf8.allSatisfy({ isURLByte($0) && $0 != UInt8(ascii: "%") }) else {
            throw .uncertainName
        }
        return ending.filter { $0 != ":" }
    }

    /// What stands between the host, where there is one, and the query.
    private static func path(of key: String) -> Substring {
        let address = key.prefix { $0 != "?" }
        guard !address.hasPrefix("/"), let colon = address.firstIndex(of: ":") else {
            return address
        }
        return address[colon...].dropFirst(3).drop { $0 != "/" }
    }

    /// What follows the last dot of the last component, which must not begin with it.
    private static func fileExtension(of path: Substring) -> String {
        // A path that ends with a slash has the component before it.
        let parts = path.split(separator: "/")
        guard let last = parts.last, let dot = last.lastIndex(of: "."), dot > last.startIndex
        else { return "" }
        return String(last[last.index(after: dot)...])
    }

    /// What may stand in a URL as it is.
    private static func isURLByte(_ byte: UInt8) -> Bool {
        (0x21..<0x7F).contains(byte) && !Array("\"<>\\^`{|}[]".utf8).contains(byte)
    }
}
