internal import Fetching
internal import Rendering
internal import Store
internal import System

/// An answer that would most likely be the same tomorrow: gone, no picture, too large.
///
/// It counts for the pipeline's `network.retryPermanentAfter`, or until what it depends on changes.
/// A refusal of another kind (a token that has run out, a promised digest that the body does not have
/// yet, an empty body) may pass with the next run.
enum PermanentAnswer {
    static let gone = "gone"

    /// Names the question that was answered; `nil` where the answer may pass.
    static func question(
        of code: String,
        hash: String?,
        _ configuration: FetchConfiguration
    ) -> String? {
        let limit: String
        switch code {
        case gone: limit = ""
        case FetchError.Code.tooLarge.rawValue: limit = "bytes=\(configuration.maximumBytes) "
        case FetchError.Code.unsupportedType.rawValue:
            let names = configuration.formats.map(\.rawValue).sorted()
            limit = "loaders=\(names.joined(separator: ",")) "
        default: return nil
        }
        return "fetch \(limit)hash=\(hash ?? "")"
    }

    /// Says until when an answer of now counts.
    static func end(_ configuration: FetchConfiguration, now: Int) -> String {
        let seconds = Int(configuration.retry.permanentAfter / .seconds(1))
        let end = WallTime(secondsSince1970: Int64(now + seconds))
        return "not asked for again before \(end) (network.retryPermanentAfter)"
    }
}

extension SourceRow {
    /// The failure that counts on: nobody has to be asked.
    func settledFailure(_ configuration: FetchConfiguration, now: Int) -> SourceFailure? {
        guard let code = failureCode, let failedWork, let at = failedAt,
            failedWork == PermanentAnswer.question(of: code, hash: hash, configuration),
            now >= at, .seconds(now - at) < configuration.retry.permanentAfter
        else { return nil }
        return SourceFailure(
            stage: .fetch,
            code: code,
            message: failure ?? "",
            attempts: 0,
            work: failedWork,
            at: at
        )
    }
}
