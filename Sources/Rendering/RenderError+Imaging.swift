internal import Imaging

extension RenderError {
    /// What a failed call of the imaging library means for the original.
    init(_ error: ImagingError, original: String) {
        let detail = error.detail.isEmpty ? "" : " (\(error.detail))"
        let (code, message): (Code, String) =
            switch error.code {
            case .openFailed, .decodeFailed:
                (.corrupt, "the file cannot be decoded: \(error.message)\(detail)")
            case .operationFailed: (.operationFailed, "\(error.message)\(detail)")
            case .truncated:
                (.truncated, "the file ends before the picture does; fetch it again\(detail)")
            case .timedOut: (.timedOut, "rendering took longer than limits.seconds allows")
            case .unreadable: (.unreadable, "\(error.message)\(detail)")
            case .encodeFailed: (.encodeFailed, "\(error.message)\(detail)")
            case .startFailed: (.environment, "\(error.subject): \(error.message)")
            }
        self.init(code: code, subject: original, message: message)
    }
}
