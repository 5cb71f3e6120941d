internal import Digest
internal import Fetching
internal import GearboxURL
internal import Rendering
internal import Store
internal import System

/// What is done for one source: get its original, make what is due of it.
struct SourceWork: Sendable {
    let context: RunContext
    /// `nil`: nothing is fetched, what is held is used.
    let fetcher: Fetcher?
    /// `nil`: nothing is rendered.
    let workers: RenderWorkers?
    private let renderThreads: BlockingThreads
    private let chains: SourceChains

    init(
        context: RunContext,
        fetcher: Fetcher?,
        workers: RenderWorkers?,
        renderThreads: BlockingThreads
    ) {
        self.context = context
        self.fetcher = fetcher
        self.workers = workers
        self.renderThreads = renderThreads
        chains = SourceChains(context.pipeline)
    }

    /// Fetches and renders as far as the stages of this run go.
    func outcome(
        of source: SourceRow,
        _ listing: Int
    ) async throws -> (SourceOutcome?, SourceTally) {
        var outcome = SourceOutcome(source: source.id)
        var tally = SourceTally()
        let variants = try await context.state.run {
            try $0.variants(ofSource: source.id, listing: listing)
        }
        // What waited for its turn when the run was asked to stop stays for the next one.
        if context.isStopping { return (nil, tally) }
        let original =
            if let fetcher {
                try await fetch(source, variants, fetcher, &outcome, &tally.fetched)
            } else {
                held(source, &outcome)
            }
        if let workers, let original {
            try await render(source, original, variants, workers, &outcome, &tally.rendered)
        }
        return (outcome, tally)
    }

    /// The variants that an original of this version shall have.
    ///
    /// When the bytes or the steps change, what was made before is remade with what is wanted.
    private func current(
        _ variants: [VariantRow],
        version: String,
        of source: SourceRow
    ) -> [VariantRow] {
        variants.filter { variant in
            variant.isWanted || version != source.renderedVersion
                || !variant.fits(context.pipeline.rendering)
        }
    }

    /// Those of them that are not made yet.
    private func due(
        _ variants: [VariantRow],
        version: String,
        of source: SourceRow
    ) -> [VariantRow] {
        current(variants, version: version, of: source).filter { variant in
            !variant.isMade(from: version, of: source, with: context.pipeline.rendering)
        }
    }

    private func held(
        _ source: SourceRow,
        _ outcome: inout SourceOutcome
    ) -> SourceRow.Original? {
        if let original = source.original,
            context.originals.holds(original.file, bytes: original.bytes)
        {
            return original
        }
        outcome.failure = SourceFailure(
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
        guard !chain(of: source).isEmpty else {
            tally.add("failed")
            outcome.failure = SourceFailure(
                stage: .fetch,
                code: "not-mirrored",
                message: "its URL asks for more than a mirror can do; put \"http\" behind the"
                    + " mirror",
                attempts: 0
            )
            return nil
        }
        // "Not changed" is an answer only where the bytes are here, or are not needed any more.
        let held = source.original.flatMap { original in
            context.originals.holds(original.file, bytes: original.bytes)
                || due(variants, version: original.version, of: source).isEmpty
                ? original : nil
        }
        switch await fetcher.fetch(request(for: source, held: held)) {
        case .fetched(let original):
            tally.add("fetched")
            tally.add("bytes", original.bytes)
            let fetched = SourceRow.Original(
                version: original.digest,
                file: original.file,
                bytes: original.bytes,
                format: original.format.rawValue,
                validators: original.validators,
                checkedAt: Self.now
            )
            outcome.original = fetched
            outcome.isStale = false
            return fetched
        case .unchanged(let validators):
            tally.add("unchanged")
            var original = held
            original?.validators = validators
            original?.checkedAt = Self.now
            // A mirror's file is looked at each time: nothing is to be remembered but a change.
            if original?.validators != held?.validators || validators.fileStamp == nil {
                outcome.original = original
            }
            outcome.isStale = false
            return original
        case .gone(let gone):
            tally.add("gone")
            outcome.isStale = source.renderedVersion != nil
            outcome.failure = SourceFailure(
                stage: .fetch,
                code: "gone",
                message: gone.reason,
                attempts: gone.attempts
            )
            return nil
        case .failed(let error):
            if error.stopsTheRun || error.code == .cancelled { throw error }
            tally.add("failed")
            outcome.failure = SourceFailure(
                stage: .fetch,
                code: error.code.rawValue,
                message: error.message,
                attempts: error.attempts
            )
            return nil
        }
    }

    private static var now: Int { Int(WallTime.now().secondsSince1970) }

    private func request(for source: SourceRow, held: SourceRow.Original?) -> FetchRequest {
        FetchRequest(
            url: source.url,
            path: source.path,
            chain: chain(of: source),
            otherHosts: chains.otherHosts(
                ofOrigin: source.origin,
                url: source.url,
                path: source.path,
                isOpaque: source.isOpaque
            ),
            headers: chains.headers(ofOrigin: source.origin).map { ($0.key, $0.value) },
            held: held.map { original in
                HeldOriginal(
                    file: original.file,
                    bytes: original.bytes,
                    digest: original.version,
                    validators: original.validators,
                    age: .seconds(Self.now - original.checkedAt)
                )
            },
            expected: source.hash.flatMap { try? PromisedDigest($0) }
        )
    }

    private func chain(of source: SourceRow) -> [DataSource] {
        chains.sources(ofOrigin: source.origin, isOpaque: source.isOpaque)
    }

    /// Makes what is due of an original.
    private func render(
        _ source: SourceRow,
        _ original: SourceRow.Original,
        _ variants: [VariantRow],
        _ workers: RenderWorkers,
        _ outcome: inout SourceOutcome,
        _ tally: inout Tally
    ) async throws {
        let due = due(variants, version: original.version, of: source)
        guard !due.isEmpty else { return tally.add("unchanged") }
        let attempt = "\(original.version) \(RenderFingerprint.full(context.pipeline.rendering))"
        if source.failedWork == attempt {
            tally.add("known to fail")
            outcome.failure = SourceFailure(
                stage: .render,
                code: source.failureCode ?? "",
                message: source.failure ?? "",
                attempts: 0,
                work: attempt
            )
            return
        }
        let job = RenderJob(
            original: context.originals.path(of: original.file),
            format: FileFormat(rawValue: original.format) ?? .unknown,
            wanted: current(variants, version: original.version, of: source).map {
                WantedVariant(key: $0.key, directives: $0.directives)
            },
            due: Set(due.map(\.key))
        )
        do {
            let rendered = try await renderThreads.run { [context] in
                if context.isStopping { throw Interrupted() }
                return try workers.render(job)
            }
            let rendering = SourceOutcome.Rendering(
                rendered,
                version: original.version,
                settings: context.pipeline.rendering,
                rows: due
            )
            tally.add("rendered")
            if rendered.facts.losesAnimation { tally.add("animations dropped") }
            tally.add("variants", rendering.made.count)
            tally.add("variants failed", rendering.failed.count)
            outcome.rendering = rendering
        } catch is Interrupted {
            tally.add("left")
        } catch let error as RenderError {
            if error.endsRun { throw error }
            tally.add("failed")
            outcome.failure = SourceFailure(
                stage: .render,
                code: error.code.rawValue,
                message: error.message,
                attempts: 1,
                work: error.isPermanent ? attempt : nil
            )
        }
    }
}

/// What sources add to the tallies of the stages fetch and render.
struct SourceTally: Sendable {
    var fetched = Tally()
    var rendered = Tally()

    mutating func add(_ other: SourceTally) {
        fetched.add(other.fetched)
        rendered.add(other.rendered)
    }
}
