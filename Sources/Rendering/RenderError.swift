/// Why an original, or one of its variants, could not be rendered.
package struct RenderError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable, Hashable, Codable {
        /// The bytes are of no format that may be decoded.
        case unsupportedType = "unsupported-type"
        /// The file has no byte.
        case empty
        /// The file ends before the picture does.
        case truncated
        /// The file is damaged in another way.
        case corrupt
        case tooManyPixels = "too-many-pixels"
        case tooManyFrames = "too-many-frames"
        /// The file has more bytes than allowed.
        case tooLarge = "too-large"
        case timedOut = "timed-out"
        /// Decoding it needs more memory than a worker may have.
        case tooMuchMemory = "too-much-memory"
        /// The worker outgrew its memory although less was expected, or the system has none for it.
        case outOfMemory = "out-of-memory"
        /// The decoder crashed, twice.
        case crashed
        /// Somebody ended the worker, twice: the system for want of memory, or a person.
        case killed
        case encodeFailed = "encode-failed"
        /// A step between decoding and encoding fails: for want of a thread or of memory, mostly.
        case operationFailed = "operation-failed"
        /// The original's file cannot be read from the disk.
        case unreadable
        /// The store does not take the file: a full disk, mostly. Ends the run.
        case storeFailed = "store-failed"
        /// Rendering itself cannot work here.
        case environment

        /// Whether the bytes may have been damaged on their way here, so that they are worth
        /// fetching again although their origin says that they have not changed.
        package var mayBeDamage: Bool {
            switch self {
            case .unsupportedType, .empty, .truncated, .corrupt, .crashed: true
            case .tooManyPixels, .tooManyFrames, .tooLarge, .timedOut, .tooMuchMemory, .outOfMemory,
                .killed, .encodeFailed, .operationFailed, .unreadable, .storeFailed, .environment:
                false
            }
        }
    }

    package var code: Code
    /// The original's file, or the key of the variant.
    package var subject: String
    /// What happened and what to do, in one line.
    package var message: String

    package init(code: Code, subject: String, message: String) {
        self.code = code
        self.subject = subject
        self.message = message
    }

    /// Whether these bytes can never be rendered under these settings.
    ///
    /// A time limit may have been missed only because the machine was busy.
    package var isPermanent: Bool {
        switch code {
        case .unsupportedType, .empty, .truncated, .corrupt, .tooManyPixels, .tooManyFrames,
            .tooLarge, .tooMuchMemory, .crashed, .encodeFailed:
            true
        case .timedOut, .outOfMemory, .killed, .operationFailed, .unreadable, .storeFailed,
            .environment:
            false
        }
    }

    /// Whether no other source can be rendered either, so that the run must stop.
    package var endsRun: Bool { code == .storeFailed || code == .environment }

    package var description: String { "\(subject): \(message)" }
}
