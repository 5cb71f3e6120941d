internal import Digest

/// Fresco up to 3.6 and from 3.7 on: Base64 of the SHA-1 of the URL, in one of a hundred folders.
///
/// 3.7 prints the folder's number as a floating-point number, and removes what lies in any other.
/// Files whose date is more than two hours ahead go first, so they have that of the export.
struct FrescoLayout: LibraryLayout {
    /// How the number of a folder is written.
    enum Shard: Sendable { case integer, floatingPoint }

    let name: String
    let summary: String
    let recipe = 1
    let folder = "image_cache/v2.ols100.1"
    let dates = FileDates.now
    let hasMixedCase = true
    private let shard: Shard

    init(_ shard: Shard) {
        self.shard = shard
        name = shard == .integer ? "fresco-3.6" : "fresco-3.7"
        summary = shard == .integer ? "Fresco up to 3.6 (Android)" : "Fresco from 3.7 on (Android)"
    }

    func fileName(of key: String) throws -> String {
        let digest = try key.digest(.sha1)
        let identifier = Self.base64(ofHexadecimal: digest)
        let number = abs(Self.javaHash(identifier) % 100)
        return "\(number)\(shard == .integer ? "" : ".0")/\(identifier).cnt"
    }

    /// Base64 with the letters that URLs have, without padding.
    private static func base64(ofHexadecimal digits: String) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var bits: UInt64 = 0
        var count = 0
        var text: [UInt8] = []
        for digit in digits {
            bits = bits << 4 | UInt64(digit.hexDigitValue ?? 0)
            count += 4
            guard count >= 6 else { continue }
            count -= 6
            text.append(letters[Int(bits >> UInt64(count) & 63)])
        }
        if count > 0 { text.append(letters[Int(bits << UInt64(6 - count) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// `String.hashCode` of Java, for ASCII.
    private static func javaHash(_ text: String) -> Int32 {
        text.utf8.reduce(0) { $0 &* 31 &+ Int32($1) }
    }
}
