internal import CVips

/// Why an image could not be read, changed or written.
package struct ImagingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which call failed: libvips' text does not decide, it may belong to another thread's image.
    package enum Code: String, Sendable, CaseIterable, Hashable {
        case startFailed = "start-failed"
        /// The file cannot be opened or read at all.
        case unreadable
        /// The loader does not accept the file's header.
        case openFailed = "open-failed"
        /// The file ends before the picture does.
        case truncated
        /// The pixels cannot be read.
        case decodeFailed = "decode-failed"
        case operationFailed = "operation-failed"
        case encodeFailed = "encode-failed"
        /// The deadline passed.
        case timedOut = "timed-out"
    }

    package var code: Code
    /// The file, or the operation where no file is at hand.
    package var subject: String
    /// What happened, in one line.
    package var message: String
    /// What libvips wrote at the time: a hint for a person, from a buffer that all threads share.
    package var detail: String

    package init(code: Code, subject: String, message: String, detail: String = "") {
        self.code = code
        self.subject = subject
        self.message = message
        self.detail = detail
    }

    package var description: String {
        detail.isEmpty ? "\(subject): \(message)" : "\(subject): \(message) (\(detail))"
    }

    /// The error of a call that just failed; takes libvips' text and clears it.
    static func failed(_ code: Code, _ subject: String, _ message: String) -> ImagingError {
        ImagingError(code: code, subject: subject, message: message, detail: takeText())
    }

    /// libvips' text in one line of bounded length.
    static func takeText() -> String {
        guard let buffer = unsafe vips_error_buffer_copy() else { return "" }
        defer { unsafe g_free(buffer) }
        let lines = unsafe String(cString: buffer).split(whereSeparator: \.isNewline)
        return String(lines.joined(separator: "; ").prefix(200))
    }
}
