internal import Digest
package import System

/// Why a file is not in the store.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable, Hashable {
        /// The disk or quota is full: nothing else can be stored either.
        case diskFull
        /// The store cannot be written or read: a mode, a mount, a broken disk.
        case unusable
        /// A file that is not the store's cannot be read: a mode, a broken disk.
        case unreadable
        /// The file is not there.
        case notFound
        /// The folder of originals that the file would be in is not there itself.
        case noFolder
        /// The path leads out of the folder that it must stay in.
        case outside
        /// The bytes have another digest than was promised.
        case digestMismatch
        /// The digest cannot be computed here.
        case digestUnavailable
        /// The file was written to while it was being read.
        case changing
        /// A staged file is not what the process that made it says.
        case notAsStaged
        /// A staged file is not there: that process lies, or something else removes files.
        case stagedLost
    }

    package var code: Code
    /// The path.
    package var subject: String
    /// What happened and what to do, in one line.
    package var message: String
    /// What the system said, where it said something.
    package var cause: SystemError?

    package init(code: Code, subject: String, message: String, cause: SystemError? = nil) {
        self.code = code
        self.subject = subject
        self.message = message
        self.cause = cause
    }

    init(code: Code, cause: SystemError) {
        self.init(code: code, subject: cause.subject, message: cause.message, cause: cause)
    }

    /// What writing to the store has met.
    init(writing cause: SystemError) {
        self.init(code: cause.code == .diskFull ? .diskFull : .unusable, cause: cause)
    }

    /// What reading a file that is to be taken in has met.
    init(reading cause: SystemError) {
        let code: Code =
            switch cause.code {
            case .notFound, .notDirectory, .badName: .notFound
            case .tooManyOpenFiles: .unusable
            default: .unreadable
            }
        self.init(code: code, cause: cause)
    }

    init(_ cause: DigestError) {
        let code: Code = cause.code == .unavailable ? .digestUnavailable : .digestMismatch
        self.init(code: code, subject: cause.subject, message: cause.message)
    }

    /// Whether every other file will fail the same way: a matter for the run, not for an entry.
    package var stopsTheRun: Bool { code == .diskFull || code == .unusable }

    package var description: String { "\(subject): \(message)" }
}
