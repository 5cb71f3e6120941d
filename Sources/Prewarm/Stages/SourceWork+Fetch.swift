internal import Digest
internal import Fetching
internal import Store
internal import System

/// How a source gets its original.
extension SourceWork {
    /// The original: fetched, or held and as it was fetched.
    func original(
        of source: SourceRow,
        _ variants: [VariantRow],
        _ outcome: inout SourceOutcome,
        _ tally: inout Tally
    ) async throws -> SourceRow.Original? {
        let found = try await fetchedOrHeld(source, variants, &outcome, &tally)
        guard let found, workers != nil, !outcome.isFetched,
            !due(variants, version: found.version, of: source).isEmpty,
            try await removeIfDamaged(found)
        else { return found }
        tally.add("originals damaged")
        var source = source
        source.original = nil
        return try await fetchedOrHeld(source, variants, &outcome, &tally)
    }

    private func fetchedOrHeld(
        _ source: SourceRow,
        _ variants: [VariantRow],
        _ outcome: inout SourceOutcome,
        _ tally: inout Tally
    ) async throws -> SourceRow.Original? {
        guard let fetcher else { return held(source, &outcome) }
        return try await fetch(source, variants, fetcher, &outcome, &tally)
    }

    /// Reads an original before anything is made of it: it may have lain on the disk for months.
    ///
    /// - Returns: whether it was not there as it was fetched, and now is not there at all.
    private func removeIfDamaged(_ original: SourceRow.Original) async throws -> Bool {
        let turn = "original \(original.file)"
        await turns.begin(turn)
        defer { turns.end(turn) }
        return try await fileThreads.run { [originals = context.originals] in
            var buffer = Store.readBuffer()
            let fault = try originals.fault(of: original.file, bytes: original.bytes, &buffer)
            guard let fault else { return false }
            if fault != .missing { try originals.remove(original.file) }
            return true
        }
    }

    /// The original that an earlier run has fetched.
    private func held(
        _ source: SourceRow,
        _ outcome: inout SourceOutcome
    ) -> SourceRow.Original? {
        if let original = source.original,
            context.originals.holds(original.file, bytes: original.bytes)
        {
            return original
        }
        outcome.failure =
            settledFailure(of: source)
            ?? SourceFailure(
                stage: .fetch,
                code: "not-fetched",
                message: "its original is not held; run the stage fetch first",
                attempts: 0
            )
        return nil
    }

    /// Gets the original, or learns that the held one is still good.
    private func fetch(
        _ source: SourceRow,
        _ variants: [VariantRow],
        _ fetcher: Fetcher,
        _ outcome: inout SourceOutcome,
        _ tally: inout Tally
    ) async throws -> SourceRow.Original? {
        var chain = chains.sources(ofOrigin: source.origin, isOpaque: source.isOpaque)
        guard !chain.isEmpty else {
            tally.add("failed")
            outcome.asked = context.run
            outcome.failure = SourceFailure(
                stage: .fetch,
                code: "not-mirrored",
                message: "its URL asks for more than a mirror can do; put \"http\" behind the"
                    + " mirror",
                attempts: 0
            )
            return nil
        }
        let settled = settledFailure(of: source)
        // A look into a mirror costs nothing.
        if settled != nil { chain.removeAll { $0 == .http } }
        let held = context.refreshes(source) ? nil : held(of: source, variants)
        let expected = promise(of: source)
        if settled == nil, let held,
            round.answers(
                source,
                held.original,
                promise: expected?.description,
                before: context.run,
                isToRender: workers != nil
                    && !due(variants, version: held.original.version, of: source).isEmpty
            )
        {
            tally.add("asked before")
            return held.original
        }
        let result =
            chain.isEmpty
            ? nil : await fetcher.fetch(request(for: source, chain, held, expecting: expected))
        outcome.asked = context.run
        switch result {
        case .fetched(let original):
            tally.add("fetched")
            tally.add("bytes", original.bytes)
            let fetched = SourceRow.Original(
                version: original.digest,
                file: original.file,
                bytes: original.bytes,
                format: original.format.rawValue,
                validators: original.validators,
                promise: expected?.description,
                checkedAt: Self.now
            )
            outcome.original = fetched
            outcome.isFetched = true
            outcome.isStale = false
            return fetched
        case .unchanged(let validators):
            tally.add("unchanged")
            var original = held?.original
            original?.validators = validators
            original?.checkedAt = Self.now
            // A mirror's file is looked at each time: nothing is to be remembered but a change.
            if original?.validators != held?.original.validators || validators.fileStamp == nil {
                outcome.original = original
            }
            outcome.isStale = false
            return original
        case .trusted:
            tally.add("held")
            var original = held?.original
            if let promise = expected?.description, original?.promise != promise {
                original?.promise = promise
                outcome.original = original
            }
            return original
        case .failed(let error) where error.code == .cancelled && context.isStopping:
            // Who has kept the run waiting does not come first again.
            guard grace.isOver else { throw Interrupted() }
            let message = "not answered within \(Grace.length) after the run was asked to stop"
            fail(source, error.code.rawValue, message, error.attempts, &outcome)
        case .failed(let error) where error.stopsTheRun || error.code == .cancelled: throw error
        case .gone, .failed, nil:
            outcome.failure = settled
        }
        if settled != nil {
            tally.add("known to fail")
            return nil
        }
        switch result {
        case .gone(let gone):
            tally.add("gone")
            outcome.isStale = source.isDone || variants.contains { $0.file != nil }
            fail(source, PermanentAnswer.gone, gone.reason, gone.attempts, &outcome)
        case .failed(let error):
            tally.add("failed")
            fail(source, error.code.rawValue, error.message, error.attempts, &outcome)
        default: break
        }
        return nil
    }

    private func fail(
        _ source: SourceRow,
        _ code: String,
        _ message: String,
        _ attempts: Int,
        _ outcome: inout SourceOutcome
    ) {
        let configuration = context.pipeline.fetching
        let question = PermanentAnswer.question(of: code, hash: source.hash, configuration)
        let now = Self.now
        // A mirror is looked at each night.
        let asksHTTP = chains.sources(ofOrigin: source.origin, isOpaque: source.isOpaque)
            .contains(.http)
        let end =
            question == nil || !asksHTTP ? nil : PermanentAnswer.end(configuration, now: now)
        outcome.failure = SourceFailure(
            stage: .fetch,
            code: code,
            message: message + (end.map { "; \($0)" } ?? ""),
            attempts: attempts,
            work: question,
            at: now
        )
    }

    private func settledFailure(of source: SourceRow) -> SourceFailure? {
        context.refreshes(source)
            ? nil : source.settledFailure(context.pipeline.fetching, now: Self.now)
    }

    private static var now: Int { Int(WallTime.now().secondsSince1970) }

    private struct Held {
        var original: SourceRow.Original
        /// Whether its file is there; else nothing of it is needed any more.
        var hasFile: Bool
    }

    /// What there is to compare with: "not changed" is an answer only where the bytes are here, or are
    /// not needed any more.
    private func held(of source: SourceRow, _ variants: [VariantRow]) -> Held? {
        guard let original = source.original else { return nil }
        if context.originals.holds(original.file, bytes: original.bytes) {
            return Held(original: original, hasFile: true)
        }
        let isDone = due(variants, version: original.version, of: source).isEmpty
        return isDone ? Held(original: original, hasFile: false) : nil
    }

    private func request(
        for source: SourceRow,
        _ chain: [DataSource],
        _ held: Held?,
        expecting expected: PromisedDigest?
    ) -> FetchRequest {
        FetchRequest(
            url: source.url,
            path: source.path,
            chain: chain,
            otherHosts: chains.otherHosts(
                ofOrigin: source.origin,
                url: source.url,
                path: source.path,
                isOpaque: source.isOpaque
            ),
            headers: chains.headers(ofOrigin: source.origin).map { ($0.key, $0.value) },
            held: held.map { heldOriginal($0.original, hasFile: $0.hasFile) },
            expected: expected
        )
    }

    func heldOriginal(_ original: SourceRow.Original, hasFile: Bool) -> HeldOriginal {
        HeldOriginal(
            file: hasFile ? original.file : nil,
            bytes: original.bytes,
            digest: original.version,
            validators: original.validators,
            promise: original.promise.flatMap { try? PromisedDigest($0) },
            age: .seconds(Self.now - original.checkedAt)
        )
    }

    /// The digest that a manifest promises.
    func promise(of source: SourceRow) -> PromisedDigest? {
        source.hash.flatMap { try? PromisedDigest($0) }
    }
}
