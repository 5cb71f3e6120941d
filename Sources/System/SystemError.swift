/// A call to the operating system that failed.
///
/// System owns files, locks, threads, signals, terminals, clocks and facts about the process. It
/// is the only importer of Glibc, and must not know of pictures, URLs, databases or stages: what
/// a file means is for its callers.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable, Hashable {
        case diskFull, notPermitted, tooManyOpenFiles, notFound, exists, isDirectory, notDirectory
        case notEmpty, badName, tooManyLinks, otherFileSystem, io, interrupted, brokenPipe, busy
        case outOfMemory, locked, tooLarge, late, other
    }

    package var code: Code
    /// The path, or the name of what was asked for.
    package var subject: String
    /// What happened and what to do, in one line.
    package var message: String
    /// The errno of the call; 0 where no call failed.
    package var number: Int32

    package init(code: Code, subject: String, message: String, number: Int32 = 0) {
        self.code = code
        self.subject = subject
        self.message = message
        self.number = number
    }

    package var description: String { "\(subject): \(message)" }
}
