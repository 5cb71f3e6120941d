internal import Store
internal import Transfer

extension FetchError {
    init(_ error: TransferError) {
        if let cause = error.cause as? StoreError {
            self.init(cause)
            return
        }
        self.init(
            code: Self.code(error.code),
            subject: error.subject,
            message: error.message,
            isTransient: error.isTransient
        )
        hostDidNotAnswer = error.hostDidNotAnswer
        needsFreshConnection = error.code == .http2Stream || error.code == .connectionReset
        wasOnSharedConnection = error.wasOnSharedConnection
    }

    private static func code(_ code: TransferError.Code) -> Code {
        switch code {
        case .badURL, .unsupportedProtocol, .badRequest: .badURL
        case .couldNotResolve: .notResolved
        case .couldNotConnect: .notConnected
        case .hostLeftAlone: .hostLeftAlone
        case .addressRefused: .addressRefused
        case .tls: .tls
        case .timedOut: .timedOut
        case .tooSlow: .tooSlow
        case .redirectLoop: .redirectLoop
        case .badResponse, .badEncoding, .other: .badResponse
        case .tooLarge: .tooLarge
        case .partialBody: .partialBody
        case .connectionReset, .http2Stream: .connectionBroken
        case .receiverFailed: .store
        case .cancelled: .cancelled
        }
    }

    init(_ error: StoreError) {
        let code: Code =
            switch error.code {
            case .diskFull, .unusable, .digestUnavailable: .store
            case .unreadable, .noFolder, .notAsStaged, .stagedLost: .unreadable
            case .notFound: .notFound
            case .outside: .pathRefused
            case .digestMismatch: .digestMismatch
            case .changing: .changing
            }
        self.init(
            code: code,
            subject: error.subject,
            message: error.message,
            isTransient: error.stopsTheRun || code == .changing || code == .unreadable
        )
        stopsTheRun = error.stopsTheRun
    }
}
