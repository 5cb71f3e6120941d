internal import CCrypto

/// Computes a digest of bytes that come piece by piece.
///
/// Digest is the only importer of OpenSSL's libcrypto. It knows bytes and digests, and must not
/// know where the bytes come from or what they mean.
@safe package struct ContentHasher: ~Copyable {
    package let algorithm: DigestAlgorithm
    private let context: OpaquePointer

    /// Fails only where the crypto library refuses the algorithm.
    package init(_ algorithm: DigestAlgorithm) throws(DigestError) {
        self.algorithm = algorithm
        guard let context = unsafe EVP_MD_CTX_new() else {
            preconditionFailure("there is no memory for a digest")
        }
        guard unsafe EVP_DigestInit_ex(context, Self.method(algorithm), nil) == 1 else {
            unsafe EVP_MD_CTX_free(context)
            throw DigestError(
                code: .unavailable,
                subject: algorithm.rawValue,
                message: "the system's OpenSSL refuses this digest; use sha256 in the manifest"
            )
        }
        unsafe self.context = context
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    package mutating func update(_ bytes: Span<UInt8>) {
        let done = unsafe bytes.withUnsafeBytes { buffer in
            unsafe EVP_DigestUpdate(context, buffer.baseAddress, buffer.count)
        }
        precondition(done == 1, "OpenSSL cannot fail to add bytes to a digest that it has begun")
    }

    package consuming func finish() -> ContentDigest {
        var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        let done = unsafe EVP_DigestFinal_ex(context, &bytes, &count)
        precondition(done == 1, "OpenSSL cannot fail to end a digest that it has begun")
        var hex: [UInt8] = []
        hex.reserveCapacity(2 * Int(count))
        for byte in bytes.prefix(Int(count)) {
            hex.append(Self.digit(byte >> 4))
            hex.append(Self.digit(byte & 15))
        }
        return ContentDigest(algorithm: algorithm, hex: String(decoding: hex, as: UTF8.self))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    private static func method(_ algorithm: DigestAlgorithm) -> OpaquePointer? {
        switch algorithm {
        case .sha256: unsafe sha256
        case .sha1: unsafe sha1
        case .md5: unsafe md5
        }
    }

    // Looked up once: OpenSSL would look through its providers for every digest.
    nonisolated(unsafe) private static let sha256 = unsafe EVP_MD_fetch(nil, "SHA2-256", nil)
    nonisolated(unsafe) private static let sha1 = unsafe EVP_MD_fetch(nil, "SHA1", nil)
    nonisolated(unsafe) private static let md5 = unsafe EVP_MD_fetch(nil, "MD5", nil)
}
