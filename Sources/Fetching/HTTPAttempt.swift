internal import Store
internal import Transfer

/// One try to get an original over HTTP; it waits for the disk on the thread that it runs on.
struct HTTPAttempt: Sendable {
    let client: TransferClient
    let originals: Store
    let check: BodyCheck
    let maximumBytes: Int
    let files: any TaskExecutor
    let pool: PiecePool

    /// What came of it; a body whose end nobody has marked is told apart.
    enum Outcome: Sendable {
        case ended(FetchResult)
        case failed(FetchError)
        /// A picture without an end came, of this length, and libcurl may have missed a cut.
        case doubtful(bytes: Int)
    }

    /// Asks one host.
    ///
    /// - Parameters:
    ///   - url: where.
    ///   - request: what for.
    ///   - isFresh: whether to use no connection that is open.
    ///   - hasAnother: whether another host can be asked, so that a silent one is not waited for.
    ///   - trusted: the length that a doubtful body had before; it is taken if it has it again.
    /// - Returns: what came of it.
    func run(
        _ url: String,
        _ request: FetchRequest,
        isFresh: Bool,
        hasAnother: Bool,
        trusting trusted: Int?
    ) async -> Outcome {
        var held = request.held.flatMap { $0.isUsable(in: originals) ? $0 : nil }
        // An earlier version has kept what cannot be sent.
        if let old = held?.validators {
            held?.validators.entityTag = Validators.sendable(old.entityTag)
            held?.validators.lastModified = Validators.sendable(old.lastModified)
        }
        let body = OriginalBody(
            originals,
            check,
            of: request,
            files: files,
            pool: pool
        )
        let response: TransferResponse
        do {
            response = try await client.perform(
                TransferRequest(
                    url: url,
                    headers: request.headers,
                    entityTag: held?.validators.entityTag,
                    lastModified: held?.validators.lastModified,
                    maximumBytes: maximumBytes,
                    needsFreshConnection: isFresh,
                    hasAlternative: hasAnother
                ),
                receiving: body
            )
        } catch {
            var failure = FetchError(error)
            if failure.subject != TransferError.shown(url), !failure.stopsTheRun {
                failure.message += Self.hop(failure.subject)
            }
            return .failed(failure)
        }
        let hop = response.redirects == 0 ? "" : Self.hop(TransferError.shown(response.head.url))
        switch response.head.status {
        case 200:
            if !response.isEndCertain, !body.looksWhole, trusted != body.bytes {
                return .doubtful(bytes: body.bytes)
            }
            return keep(body, response, hop)
        case 304: return unchanged(held, response)
        case 404, 410:
            let reason = "HTTP \(response.head.status)\(hop)"
            return .ended(
                .gone(Gone(reason: reason, httpStatus: response.head.status, attempts: 1))
            )
        default: return .failed(failure(response, hop, body.excerpt))
        }
    }

    /// Names where a redirect has led to, as what failed is not what was asked for.
    private static func hop(_ subject: String) -> String { " at \(subject), where it redirects" }

    private func keep(
        _ body: OriginalBody,
        _ response: TransferResponse,
        _ hop: String
    ) -> Outcome {
        let url = response.head.url
        let finished = Result { () throws(StoreError) in
            try body.finish(subject: TransferError.shown(url))
        }
        switch finished {
        case .failure(let error):
            var failure = FetchError(error)
            if failure.code == .digestMismatch {
                failure.subject = TransferError.shown(url)
                failure.message += hop
            }
            return .failed(failure)
        case .success(.refused(var refusal)):
            refusal.message += hop
            return .failed(refusal)
        case .success(.kept(let stored, let format)):
            return .ended(
                .fetched(
                    Original(
                        file: stored.file,
                        digest: stored.digest,
                        bytes: stored.bytes,
                        format: format,
                        validators: validators(response.head.headers),
                        finalURL: response.head.url,
                        attempts: 1
                    )
                )
            )
        }
    }

    private func unchanged(_ held: HeldOriginal?, _ response: TransferResponse) -> Outcome {
        let new = validators(response.head.headers)
        guard let old = held?.validators, old.entityTag != nil || old.lastModified != nil else {
            return .failed(
                FetchError(
                    code: .badResponse,
                    subject: TransferError.shown(response.head.url),
                    message: "the server answered 304 to a request without conditions",
                    isTransient: true,
                    httpStatus: 304
                )
            )
        }
        return .ended(
            .unchanged(
                Validators(
                    entityTag: new.entityTag ?? old.entityTag,
                    lastModified: new.lastModified ?? old.lastModified,
                    cacheControl: new.cacheControl ?? old.cacheControl
                )
            )
        )
    }

    private func failure(
        _ response: TransferResponse,
        _ hop: String,
        _ excerpt: String
    ) -> FetchError {
        let status = response.head.status
        // A redirect that leads somewhere was followed.
        let lack = [301, 302, 303, 307, 308].contains(status) ? " without a Location" : ""
        return FetchError(
            code: .httpStatus,
            subject: TransferError.shown(response.head.url),
            message: "HTTP \(status)\(lack)\(hop)" + (excerpt.isEmpty ? "" : ": \(excerpt)"),
            isTransient: status >= 500 || [408, 425, 429].contains(status),
            httpStatus: status,
            retryAfter: response.retryAfter
        )
    }

    private func validators(_ headers: HeaderFields) -> Validators {
        Validators(
            entityTag: Validators.sendable(headers["etag"]),
            lastModified: Validators.sendable(headers["last-modified"]),
            cacheControl: headers["cache-control"]
        )
    }
}
