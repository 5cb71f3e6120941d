package import GearboxDatabase

/// Why an index cannot be read.
package struct IndexError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: String, Sendable, Hashable {
        case notAnIndex, wrongVersion, unreadable, invalidMeta
    }

    package var code: Code
    /// The index file's path.
    package var subject: String
    package var message: String

    package init(code: Code, subject: String, message: String) {
        self.code = code
        self.subject = subject
        self.message = message
    }

    package init(database: DatabaseError) {
        self.init(code: .unreadable, subject: database.subject, message: database.message)
    }

    package var description: String { "\(subject): \(message)" }
}
