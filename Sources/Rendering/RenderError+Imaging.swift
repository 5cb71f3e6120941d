internal import Imaging

extension RenderError {
    /// What a failed call of the imaging library means for the original.
    ///
    /// - Parameters:
    ///   - error: the failure.
    ///   - original: the original's file.
    ///   - isCutShort: whether the file ends before its format says so.
    init(_ error: ImagingError, original: String, isCutShort: () -> Bool) {
        let detail = error.detail.isEmpty ? "" : " (\(error.detail))"
        switch error.code {
        case .openFailed, .decodeFailed, .operationFailed:
            let cut = isCutShort()
            self.init(
                code: cut ? .truncated : .corrupt,
                subject: original,
                message: cut
                    ? "the file ends before the picture does; fetch it again\(detail)"
                    : "the file is damaged: \(error.message)\(detail)"
            )
        case .timedOut:
            self.init(
                code: .timedOut,
                subject: original,
                message: "rendering took longer than limits.seconds allows"
            )
        case .unreadable:
            self.init(
                code: .unreadable,
                subject: original,
                message: "\(error.message)\(detail)"
            )
        case .encodeFailed:
            self.init(
                code: .encodeFailed,
                subject: original,
                message: "\(error.message)\(detail)"
            )
        case .startFailed:
            self.init(code: .environment, subject: error.subject, message: error.message)
        }
    }
}
