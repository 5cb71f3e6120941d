/// Why an index gives no answer.
public struct RelationIndexError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable {
        /// The URL has no key: the message says what is wrong with it.
        case badURL
        /// The file is missing, damaged, or not an index that this version reads.
        case unreadable
    }

    public var code: Code
    /// The URL or the index file.
    public var subject: String
    /// What is wrong and what to do, in one line.
    public var message: String

    public var description: String { "\(subject): \(message)" }
}
