internal import Digest

extension String {
    /// The digest of the text's bytes, in lower-case hexadecimal.
    func digest(_ algorithm: DigestAlgorithm) throws(DigestError) -> String {
        try ContentDigest(of: Array(utf8).span, algorithm).hex
    }

    /// The text with a sign and two upper-case hexadecimal digits for each byte that is not kept.
    func escaped(with sign: UInt8 = UInt8(ascii: "%"), keeping isKept: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in utf8 {
            if isKept(byte) {
                bytes.append(byte)
            } else {
                bytes += [sign, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
