/// The digest of some bytes and how it was made, as in `sha256:e3b0c442...`.
package struct ContentDigest: Hashable, Sendable, CustomStringConvertible {
    package let algorithm: DigestAlgorithm
    /// Lower-case.
    package let hex: String

    init(algorithm: DigestAlgorithm, hex: String) {
        self.algorithm = algorithm
        self.hex = hex
    }

    /// Reads `sha256:`, `sha1:` or `md5:` and the hexadecimal digits, in any case.
    package init(_ text: String) throws(DigestError) {
        let bytes = Array(text.utf8)
        let name = bytes.prefix { $0 != UInt8(ascii: ":") }
        let spelled = String(decoding: name.map(Self.lowered), as: UTF8.self)
        guard let algorithm = DigestAlgorithm(rawValue: spelled) else {
            throw Self.malformed(text, "does not begin with sha256:, sha1: or md5:")
        }
        let digits = bytes.dropFirst(name.count + 1).map(Self.lowered)
        guard digits.count == algorithm.hexLength, digits.allSatisfy(Self.isHexadecimal) else {
            let wanted = algorithm.hexLength
            throw Self.malformed(text, "needs \(wanted) hexadecimal digits after \(spelled):")
        }
        self.init(algorithm: algorithm, hex: String(decoding: digits, as: UTF8.self))
    }

    /// The digest of bytes that are all there.
    package init(of bytes: Span<UInt8>, _ algorithm: DigestAlgorithm) throws(DigestError) {
        var hasher = try ContentHasher(algorithm)
        hasher.update(bytes)
        self = hasher.finish()
    }

    package var description: String { "\(algorithm.rawValue):\(hex)" }

    private static func malformed(_ text: String, _ problem: String) -> DigestError {
        DigestError(code: .malformed, subject: String(text.prefix(80)), message: problem)
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }
}
