/// Why a manifest as a whole cannot be read.
package struct ManifestError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable, Hashable {
        /// The file cannot be opened or read.
        case unreadable
        /// Compressed data that are damaged, or followed by something else.
        case damaged
        /// Compressed data that end before their end.
        case truncated
        /// Not UTF-8 but UTF-16.
        case otherEncoding
        /// A table without its header row, or without the column of URLs.
        case noColumn
        /// An access log that names no hosts, and nobody has said which it is of.
        case noHost
    }

    package var code: Code
    /// The manifest's path.
    package var subject: String
    /// What is wrong and what to do, in one line.
    package var message: String

    package init(code: Code, subject: String, message: String) {
        self.code = code
        self.subject = subject
        self.message = message
    }

    package var description: String { "\(subject): \(message)" }
}
