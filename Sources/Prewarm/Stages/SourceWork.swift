internal import Fetching
internal import Rendering
internal import Store
internal import System

/// What is done for one source: get its original, make what is due of it.
struct SourceWork: Sendable {
    let context: RunContext
    let journal: Journal
    /// `nil`: nothing is fetched, what is held is used.
    let fetcher: Fetcher?
    /// `nil`: nothing is rendered.
    let workers: RenderWorkers?
    let renderThreads: BlockingThreads
    let fileThreads: BlockingThreads
    let chains: SourceChains
    let round: Round
    let grace: Grace
    /// Equal bytes of which the same is wanted are rendered by one, the others look what it has; and
    /// an original that several sources hold is held against its name by one at a time.
    let turns = Turns()

    init(
        context: RunContext,
        journal: Journal,
        fetcher: Fetcher?,
        workers: RenderWorkers?,
        renderThreads: BlockingThreads,
        fileThreads: BlockingThreads,
        round: Round,
        grace: Grace
    ) {
        self.context = context
        self.journal = journal
        self.fetcher = fetcher
        self.workers = workers
        self.renderThreads = renderThreads
        self.fileThreads = fileThreads
        self.round = round
        self.grace = grace
        chains = SourceChains(context.pipeline)
    }

    /// Fetches and renders as far as the stages of this run go, and writes down what came of it.
    ///
    /// - Returns: that, and what it adds to the tallies; `nil` where the source stays for the next run.
    func outcome(
        of source: SourceRow,
        _ listing: Int
    ) async throws -> (SourceOutcome?, SourceTally) {
        var source = source
        // What is probed has its variants elsewhere.
        if chains.probes(source) { source.isDone = false }
        var outcome = SourceOutcome(of: source)
        var tally = SourceTally()
        // Of a source that is done they are needed only where its original turns out to be another.
        var variants = source.isDone ? [] : try await self.variants(of: source, listing)
        // What waited for its turn when the run was asked to stop stays for the next one.
        if context.isStopping { return (nil, tally) }
        let original: SourceRow.Original?
        do {
            original = try await self.original(of: source, variants, &outcome, &tally.fetched)
        } catch is Interrupted {
            return (nil, tally)
        }
        if let workers, let original {
            if source.isDone, original.version != source.renderedVersion {
                variants = try await self.variants(of: source, listing)
            }
            try await render(source, original, variants, workers, &outcome, &tally.rendered)
        } else {
            try await journal.record(outcome)
        }
        return (outcome, tally)
    }

    private func variants(of source: SourceRow, _ listing: Int) async throws -> [VariantRow] {
        try await context.state.run { try $0.variants(of: source, listing: listing) }
    }

    /// The variants that an original of this version shall have.
    ///
    /// When the bytes or the steps change, what was made before is remade with what is wanted.
    func current(
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
    func due(
        _ variants: [VariantRow],
        version: String,
        of source: SourceRow
    ) -> [VariantRow] {
        let refreshes = context.refreshes(source)
        return current(variants, version: version, of: source).filter { variant in
            refreshes
                || !variant.isMade(from: version, of: source, with: context.pipeline.rendering)
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
