/// A data source that did not have an original, and what is said when none had it.
enum Miss {
    case gone(Gone, DataSource)
    case failed(FetchError)

    /// The result of a chain that has ended.
    ///
    /// Gone is what every data source says is gone. Where one has failed, another run may find the
    /// original there; of several failures the one that may pass counts.
    static func summary(_ misses: [Miss], url: String) -> FetchResult {
        let attempts = misses.reduce(0) { $0 + $1.attempts }
        let text = misses.map(\.text)
        let failures = misses.compactMap { miss -> FetchError? in
            if case .failed(let error) = miss { error } else { nil }
        }
        guard var failure = failures.first(where: \.isTransient) ?? failures.first else {
            let status = misses.compactMap(\.httpStatus).first
            return .gone(
                Gone(
                    reason: text.joined(separator: "; "),
                    httpStatus: status,
                    attempts: attempts
                )
            )
        }
        failure.attempts = attempts
        if misses.count > 1 {
            failure.message = text.joined(separator: "; ")
            failure.subject = url
        }
        return .failed(failure)
    }

    private var attempts: Int {
        switch self {
        case .gone(let gone, _): gone.attempts
        case .failed(let error): error.attempts
        }
    }

    private var httpStatus: Int? {
        if case .gone(let gone, _) = self { gone.httpStatus } else { nil }
    }

    private var text: String {
        switch self {
        case .gone(let gone, _): gone.reason
        case .failed(let error): error.description
        }
    }
}
