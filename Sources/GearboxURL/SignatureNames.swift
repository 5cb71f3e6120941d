/// The names of parameters that mark a URL as signed.
package enum SignatureNames {
    /// Whether a name, in any case, is one of them.
    package static func contains(_ name: Substring) -> Bool {
        contains(Array(name.utf8).span, 0..<name.utf8.count)
    }

    /// Whether a name, in any case, is one of them.
    static func contains(_ bytes: borrowing Span<UInt8>, _ name: Range<Int>) -> Bool {
        guard name.count >= 3 else { return false }
        let initial = URLByte.lowercased(bytes[name.lowerBound])
        for word in exact where word[0] == initial {
            if word.count == name.count, begins(bytes, name, with: word) { return true }
        }
        for word in prefixes where word[0] == initial {
            if begins(bytes, name, with: word) { return true }
        }
        return false
    }

    private static func begins(
        _ bytes: borrowing Span<UInt8>,
        _ name: Range<Int>,
        with word: [UInt8]
    ) -> Bool {
        guard name.count >= word.count else { return false }
        for offset in 0..<word.count
        where URLByte.lowercased(bytes[name.lowerBound + offset]) != word[offset] { return false }
        // What an image is to be made into is no signature, though it begins like one.
        return word != ossPrefix || !isOSSProcess(bytes, name)
    }

    private static func isOSSProcess(
        _ bytes: borrowing Span<UInt8>,
        _ name: Range<Int>
    ) -> Bool {
        name.count == ossProcess.count && begins(bytes, name, with: ossProcess)
    }

    private static let ossPrefix = Array("x-oss-".utf8)
    private static let ossProcess = Array("x-oss-process".utf8)

    private static let prefixes = ["x-amz-", "q-sign-"].map { Array($0.utf8) } + [ossPrefix]

    private static let exact = [
        "signature", "sign", "sig", "token", "expires", "auth_key", "nosaccesskeyid",
        "ossaccesskeyid", "accesskeyid", "security-token", "x-obs-security-token",
        "x-cos-security-token", "q-ak", "q-key-time", "q-header-list", "q-url-param-list",
    ].map { Array($0.utf8) }
}
