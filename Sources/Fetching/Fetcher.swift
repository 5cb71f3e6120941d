package import Store
internal import Transfer

/// Brings originals into the store of originals.
///
/// Fetching owns the chain of data sources, what is tried again and when, and what a body must be
/// to be kept. It must not know of variants, plans or stages: it is given a URL and what is held,
/// and says what became of it. No body is ever held in memory.
package final class Fetcher: Sendable {
    private let configuration: FetchConfiguration
    private let originals: Store
    private let client: TransferClient
    private let files: any TaskExecutor
    private let pool: PiecePool
    private let waits = RetryWaits()

    /// Makes a fetcher.
    ///
    /// - Parameters:
    ///   - configuration: how.
    ///   - originals: where to.
    ///   - files: runs what waits for the disk; not Swift's own pool.
    package init(
        configuration: FetchConfiguration,
        originals: Store,
        files: any TaskExecutor
    ) {
        var configuration = configuration
        configuration.transfer.longestPause = configuration.retry.longestRetryAfter
        self.configuration = configuration
        self.originals = originals
        self.files = files
        pool = PiecePool(limit: min(configuration.transfer.transfers, 32))
        client = TransferClient(configuration.transfer)
    }

    /// Lets the transfers in flight end and starts no other: what waits for its turn or for a retry,
    /// and what is asked for from now on, ends as cancelled where it needs a request.
    package func stopStarting() {
        waits.endAll()
        client.drain()
    }

    /// Breaks every transfer off and waits for its thread's end.
    package func shutDown() { client.shutDown() }

    /// Asks the data sources in their order until one has the original.
    ///
    /// A promised digest decides alone: nobody is asked where what is held has it, and else what is
    /// held is not mentioned, so that a body comes and is compared.
    package func fetch(_ request: FetchRequest) async -> FetchResult {
        precondition(!request.chain.isEmpty, "there is no data source to ask")
        var request = request
        if let promise = request.expected, let held = request.held {
            let isKept = await Task(executorPreference: files) { [originals] in
                held.keeps(promise, in: originals)
            }.value
            if isKept { return .trusted }
            request.held = nil
        }
        var misses: [Miss] = []
        for source in request.chain {
            let result: FetchResult
            switch source {
            case .mirror(let directory): result = await fetch(request, fromMirror: directory)
            case .http:
                // On threads that may wait for the disk, so that a body is kept where its
                // transfer has ended: each change of threads costs as much as a small file.
                result = await withTaskExecutorPreference(files) { await fetchOverHTTP(request) }
            }
            switch result {
            case .fetched, .unchanged, .trusted: return result
            case .gone(let gone): misses.append(.gone(gone, source))
            case .failed(let error):
                if error.stopsTheRun || error.code == .cancelled { return result }
                misses.append(.failed(error))
            }
        }
        return Miss.summary(misses, url: TransferError.shown(request.url))
    }

    /// What can be said of a request without asking anybody, and without reading a file: that the
    /// mirror which comes first has the held file still, or that what is held is good without asking.
    ///
    /// Waits for the disk.
    ///
    /// - Returns: `nil` where more is to be done.
    package func quickResult(of request: FetchRequest) -> FetchResult? {
        guard let held = request.held else { return nil }
        if let promise = request.expected {
            return held.promise == promise && held.isUsable(in: originals) ? .trusted : nil
        }
        switch request.chain.first {
        case .mirror(let directory):
            guard let path = MirrorPath.decoded(request.path),
                let stamp = OutsideFile.stamp(ofFile: path, in: directory),
                held.isFile(stamped: stamp, in: originals)
            else { return nil }
            return .unchanged(Validators(fileStamp: stamp))
        case .http: return isTrusted(held) ? .trusted : nil
        case nil: return nil
        }
    }

    /// Whether what is held is good without asking.
    private func isTrusted(_ held: HeldOriginal) -> Bool {
        configuration.revalidation.trusts(held) && held.isUsable(in: originals)
    }

    private func fetch(_ request: FetchRequest, fromMirror directory: String) async -> FetchResult {
        let mirror = Mirror(
            directory: directory,
            originals: originals,
            check: BodyCheck(formats: configuration.formats),
            maximumBytes: configuration.maximumBytes
        )
        return await Task(executorPreference: files) { mirror.fetch(request) }.value
    }

    private func fetchOverHTTP(_ request: FetchRequest) async -> FetchResult {
        if let held = request.held, isTrusted(held) { return .trusted }
        let attempt = HTTPAttempt(
            client: client,
            originals: originals,
            check: BodyCheck(formats: configuration.formats, request: request),
            maximumBytes: configuration.maximumBytes,
            files: files,
            pool: pool
        )
        let hosts = [request.url] + request.otherHosts
        var schedule = RetrySchedule(configuration.retry, hosts: hosts.count)
        var doubtful: Int?
        var isFresh = false
        /// What one host is refused for, which counts where no other does better.
        var refusal: FetchError?
        var last: FetchError?
        while true {
            let url = hosts[schedule.host]
            let attempts = schedule.attempts
            var error: FetchError
            let outcome = await attempt.run(
                url,
                request,
                isFresh: isFresh,
                hasAnother: schedule.hasAnotherHost,
                trusting: doubtful
            )
            switch outcome {
            case .ended(.gone(let gone)) where refusal != nil:
                error = FetchError(
                    code: .notFound,
                    subject: TransferError.shown(url),
                    message: gone.reason
                )
            case .ended(let result): return result.counting(attempts)
            case .failed(let failure): error = failure
            case .doubtful(let bytes):
                doubtful = bytes
                error = Self.withoutEnd(url, bytes)
            }
            // A try that has failed is an answer, also where there is no time for the next one.
            if error.code == .cancelled, waits.areEnded, let last { return .failed(last.asLast) }
            // Who is left alone was not asked.
            error.attempts = error.code == .hostLeftAlone ? attempts - 1 : attempts
            isFresh = error.needsFreshConnection
            if refusal == nil, error.isOfOneHost { refusal = error }
            switch schedule.next(after: error, fraction: .random(in: 0..<1)) {
            case .giveUp:
                if let refusal, !error.stopsTheRun, error.code != .cancelled {
                    return .failed(refusal.repeated(error.attempts))
                }
                return .failed(error)
            case .leaveForNextRun:
                error.message += "; it asks to be left alone for longer than a run waits"
                return .failed(error)
            case .again(_, let wait):
                last = error
                do { try await waits.wait(wait) } catch {
                    if waits.areEnded, let last { return .failed(last.asLast) }
                    return .failed(Self.cancelled(url, attempts))
                }
            }
        }
    }

    private static func withoutEnd(_ url: String, _ bytes: Int) -> FetchError {
        var error = FetchError(
            code: .partialBody,
            subject: TransferError.shown(url),
            message: "the picture has no end after \(bytes) bytes, and the server gave no length",
            isTransient: true
        )
        error.needsFreshConnection = true
        return error
    }

    private static func cancelled(_ url: String, _ attempts: Int) -> FetchError {
        var error = FetchError(
            code: .cancelled,
            subject: TransferError.shown(url),
            message: "cancelled"
        )
        error.attempts = attempts
        return error
    }
}

extension FetchError {
    /// The same after other hosts have done no better.
    fileprivate func repeated(_ attempts: Int) -> FetchError {
        var error = self
        if attempts > self.attempts { error.message += "; the origin's other hosts do no better" }
        error.attempts = attempts
        return error
    }

    /// The same where no other try follows because of a stop.
    fileprivate var asLast: FetchError {
        var error = self
        error.message += "; there was no time for another try"
        return error
    }
}

extension FetchResult {
    fileprivate func counting(_ attempts: Int) -> FetchResult {
        switch self {
        case .fetched(var original):
            original.attempts = attempts
            return .fetched(original)
        case .gone(var gone):
            gone.attempts = attempts
            return .gone(gone)
        case .unchanged, .trusted, .failed: return self
        }
    }
}
