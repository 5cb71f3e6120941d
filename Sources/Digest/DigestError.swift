/// Why there is no digest.
package struct DigestError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable, Hashable {
        /// The text is not a digest.
        case malformed
        /// The crypto library does not offer the algorithm, as MD5 under a FIPS policy.
        case unavailable
    }

    package var code: Code
    /// The text as given, or the name of the algorithm.
    package var subject: String
    /// What is wrong and what to do, in one line.
    package var message: String

    package var description: String { "\(subject): \(message)" }
}
