import Digest
import Testing

@Suite("Digests")
struct ContentDigestTests {
    @Test(
        "Known digests come out",
        arguments: [
            (
                DigestAlgorithm.sha256, "",
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
            ),
            (.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (.md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
        ]
    )
    func known(algorithm: DigestAlgorithm, text: String, hex: String) throws {
        let digest = try ContentDigest(of: Array(text.utf8).span, algorithm)
        #expect(digest.hex == hex)
        #expect(digest.description == "\(algorithm.rawValue):\(hex)")
    }

    @Test("Pieces of any size give the digest of the whole", arguments: [1, 7, 64, 1000, 4096])
    func pieces(size: Int) throws {
        let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var hasher = try ContentHasher(.sha256)
        for start in stride(from: 0, to: bytes.count, by: size) {
            hasher.update(bytes.span.extracting(start..<min(start + size, bytes.count)))
        }
        #expect(hasher.finish() == (try ContentDigest(of: bytes.span, .sha256)))
    }

    @Test("A digest is read in any case and written in lower case")
    func anyCase() throws {
        let digest = try ContentDigest("MD5:900150983CD24FB0D6963F7D28E17F72")
        #expect(digest.algorithm == .md5)
        #expect(digest.description == "md5:900150983cd24fb0d6963f7d28e17f72")
    }

    @Test(
        "What is no digest is refused",
        arguments: [
            "", "sha256", "sha256:", "md5:900150983cd24fb0d6963f7d28e17f7", "crc32:00000000",
            "md5:900150983cd24fb0d6963f7d28e17f7g", " md5:900150983cd24fb0d6963f7d28e17f72",
            "md5:900150983cd24fb0d6963f7d28e17f72 ", "sha1:900150983cd24fb0d6963f7d28e17f72",
            "md5::00150983cd24fb0d6963f7d28e17f72",
        ]
    )
    func refused(text: String) {
        let error = #expect(throws: DigestError.self) { try ContentDigest(text) }
        #expect(error?.code == .malformed)
        #expect(error?.subject == text)
    }
}
