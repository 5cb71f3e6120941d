internal import GearboxIndex
internal import GearboxURL

/// Why an index gives no answer.
public struct RelationIndexError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable {
        /// The URL has no key: the message says what is wrong with it.
        case badURL
        /// The file is missing or damaged.
        case unreadable
        /// The file is something else than an index.
        case notAnIndex
        /// The index was written for another version of this library.
        case wrongVersion
    }

    public var code: Code
    /// The URL or the index file.
    public var subject: String
    /// What is wrong and what to do, in one line.
    public var message: String

    public var description: String { "\(subject): \(message)" }

    init(_ error: IndexError) {
        switch error.code {
        case .notAnIndex: code = .notAnIndex
        case .wrongVersion: code = .wrongVersion
        case .unreadable, .invalidMeta: code = .unreadable
        }
        subject = error.subject
        message = error.message
    }

    init(_ error: RequestError, url: String) {
        code = .badURL
        subject = url
        message = error.message
    }
}
