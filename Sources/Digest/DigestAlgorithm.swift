/// The digests that a manifest may name; files in the store are named by SHA-256.
package enum DigestAlgorithm: String, Sendable, CaseIterable, Hashable {
    case sha256, sha1, md5

    /// How many hexadecimal digits a digest has.
    package var hexLength: Int {
        switch self {
        case .sha256: 64
        case .sha1: 40
        case .md5: 32
        }
    }
}
