internal import Digest
internal import Fetching
internal import GearboxDatabase
package import GearboxURL
internal import Rendering
internal import Store
internal import System

/// What a run of a pipeline would do now, as far as nobody has to be asked for it.
///
/// The first stages are run, on a copy of the state that goes away: nothing of the cache directory
/// is written, and a run may be at work in it.
package struct RunForecast: Sendable, Hashable {
    package var pipeline: String
    package var cache: String
    /// Whether the cache directory has a state of earlier runs.
    package var hasState: Bool
    /// Ingest, canonicalize and plan as they ran, fetch and render as they would.
    package var stages: [RunReport.StageReport]
    /// Lines that would fail or be left out, as far as that is known now.
    package var reasons: [RunReport.Reason]

    package func tally(_ stage: Stage) -> Tally {
        stages.first { $0.stage == stage }?.tally ?? Tally()
    }

    /// Looks ahead.
    ///
    /// - Parameters:
    ///   - pipeline: what would be run.
    ///   - refresh: sources, by key or URL, that would be made anew.
    /// - Returns: the forecast; `nil` where the process was asked to stop.
    /// - Throws: what ends a run before it fetches: an unreadable manifest, a broken state.
    package static func of(
        _ pipeline: Pipeline,
        refresh: [Wildcard] = []
    ) async throws -> RunForecast? {
        do { return try await made(for: pipeline, refresh) } catch is Interrupted { return nil }
    }

    private static func made(
        for pipeline: Pipeline,
        _ refresh: [Wildcard]
    ) async throws -> RunForecast {
        let folder = try TemporaryFolder()
        let copy = "\(folder.path)/state.sqlite"
        let earlier = try StateDatabase.looked(atCache: pipeline.cache)
        try earlier?.check(owner: pipeline.name)
        try earlier?.write(to: copy)
        let state = try StateQueue(path: copy)
        defer { state.shutDown() }
        let run = try await state.run {
            try $0.claim(for: pipeline.name)
            return try $0.beginRun(
                pipeline: pipeline.name,
                at: Int(WallTime.now().secondsSince1970)
            )
        }
        let context = RunContext(
            run: run,
            pipeline: pipeline,
            state: state,
            store: Store(lookingAt: pipeline.cache),
            originals: Store(lookingAt: pipeline.cache, folder: "originals"),
            progress: RunProgress(),
            deadline: nil,
            refresh: refresh
        )
        if earlier != nil { try await context.checkThatStoreIsThere() }
        var forecast = RunForecast(
            pipeline: pipeline.name,
            cache: pipeline.cache,
            hasState: earlier != nil,
            stages: [],
            reasons: []
        )
        forecast.add(.ingest, try await IngestStage(context: context).run())
        forecast.add(.canonicalize, try await CanonicalizeStage(context: context).run())
        forecast.add(.plan, try await PlanStage(context: context).run())
        let sources = try await SourceForecast(context: context).run()
        forecast.add(.fetch, sources.fetched)
        forecast.add(.render, sources.rendered)
        forecast.reasons = try await state.run { state in
            let (run, listing) = (context.run, try state.listing())
            let counts = try state.countOutcomes(run: run, listing: listing)
            return try state.reasons(counts, run: run, listing: listing, samples: 3)
        }.filter { $0.code != RunReport.notReached }
        _ = consume folder
        return forecast
    }

    private mutating func add(_ stage: Stage, _ tally: Tally) {
        stages.append(RunReport.StageReport(stage: stage, seconds: 0, tally: tally))
    }
}

/// What fetch and render would do for the sources whose bytes are wanted.
private struct SourceForecast: Sendable {
    let context: RunContext
    private static let page = 500

    func run() async throws -> SourceTally {
        let chains = SourceChains(context.pipeline)
        return try await context.state.run { state in
            let listing = try state.listing()
            let round = try Round(of: context.run, listing: listing, asks: true, in: state)
            let now = Int(WallTime.now().secondsSince1970)
            var tally = SourceTally()
            var last = 0
            while true {
                try context.checkInterruption()
                let sources = try state.wantedSources(
                    listing: listing,
                    after: last,
                    limit: Self.page
                )
                guard let end = sources.last?.id else { return tally }
                for source in sources {
                    let variants = try state.variants(of: source, listing: listing)
                    add(source, variants, chains, round, now: now, &tally)
                }
                last = end
            }
        }
    }

    private func add(
        _ source: SourceRow,
        _ variants: [VariantRow],
        _ chains: SourceChains,
        _ round: Round,
        now: Int,
        _ tally: inout SourceTally
    ) {
        let settings = context.pipeline.rendering
        let version = source.original?.version ?? source.renderedVersion
        let refreshes = context.refreshes(source)
        let due = variants.count { variant in
            (variant.isWanted || !variant.fits(settings))
                && (refreshes || !variant.isMade(from: version, of: source, with: settings))
        }
        let chain = chains.sources(ofOrigin: source.origin, isOpaque: source.isOpaque)
        tally.fetched.add(asking(source, chain, round, isAnyDue: due > 0, now: now))
        if chains.probes(source), source.renderedVersion == nil || source.renderedVersion != version
        {
            tally.rendered.add("to probe")
        }
        guard due > 0, !chain.isEmpty else { return }
        if let version, !refreshes,
            source.failedWork == "\(version) \(RenderFingerprint.full(settings))"
        {
            return tally.rendered.add("known to fail")
        }
        tally.rendered.add(source.variantOf == nil ? "sources" : "to store")
        tally.rendered.add("variants", due)
    }

    /// What is done to have a source's original.
    private func asking(
        _ source: SourceRow,
        _ chain: [DataSource],
        _ round: Round,
        isAnyDue: Bool,
        now: Int
    ) -> String {
        guard let first = chain.first else { return "not to be had" }
        let configuration = context.pipeline.fetching
        let refreshes = context.refreshes(source)
        let isSettled = !refreshes && source.settledFailure(configuration, now: now) != nil
        if isSettled, !chain.contains(where: { $0 != .http }) { return "known to fail" }
        guard !refreshes, let original = source.original,
            !isAnyDue || context.originals.holds(original.file, bytes: original.bytes)
        else { return first == .http ? "to fetch" : "to look up in a mirror" }
        let promise = source.hash.flatMap { try? PromisedDigest($0) }
        let isAsked = round.answers(
            source,
            original,
            promise: promise?.description,
            before: context.run,
            isToRender: isAnyDue
        )
        if isAsked, !isSettled { return "asked before" }
        let held = HeldOriginal(
            file: original.file,
            bytes: original.bytes,
            digest: original.version,
            validators: original.validators,
            promise: original.promise.flatMap { try? PromisedDigest($0) },
            age: .seconds(now - original.checkedAt)
        )
        if let promise {
            if held.keeps(promise, in: context.originals) { return "held" }
            return first == .http ? "to fetch" : "to look up in a mirror"
        }
        if first != .http { return "to compare with a mirror" }
        return configuration.revalidation.trusts(held) ? "held" : "to revalidate"
    }
}
