/// Where an image came from, and until when work on it may go on; what is made of it inherits this.
struct ImageOrigin {
    /// The file, for messages.
    let subject: String
    /// `nil` where there is no file.
    let loader: Loader?
    let deadline: Deadline?
    /// Frames before the file's own, put there for the decoder's sake.
    var hiddenFrames = 0

    /// The error of a call that has just failed on the image.
    ///
    /// Time that is up or a file that ends early is the reason, whatever the call was.
    func failure(_ code: ImagingError.Code, _ message: String) -> ImagingError {
        if let deadline, deadline.hasPassed {
            return .failed(.timedOut, subject, "the work took longer than its limit")
        }
        guard code != .encodeFailed, isCutShort else { return .failed(code, subject, message) }
        return .failed(.truncated, subject, "the file ends before the picture does")
    }

    var isCutShort: Bool {
        guard let loader, let bytes = try? ImageFile.bytes(of: subject) else { return false }
        return FileEnd.isCutShort(bytes.span, of: loader)
    }
}
