internal import Fetching
internal import Store
internal import Synchronization
internal import System
internal import Transfer

/// The stages fetch and render: each source goes through both, many sources at a time, so that the
/// whole takes as long as the slower of the two.
///
/// The window of sources in flight is the bound: nothing queues without limit behind it.
struct SourcePass: Sendable {
    struct Ended: Sendable {
        var tally = SourceTally()
        /// Whether sources were left because the run had to stop.
        var isCutShort = false
        /// What the workers could not do; `nil` where none was needed.
        var sandbox: Sandbox.Enforcement?
    }

    /// They wait for the disk, for mirrors mostly.
    private static let fileThreads = 4

    private let context: RunContext
    private let work: SourceWork
    private let fileThreads: BlockingThreads
    private let renderThreads: BlockingThreads
    /// How many sources are in flight, and how many of one host: some wait for their host's turn, some
    /// for a worker, and one host can never fill it alone.
    private let window: Int
    private let windowOfHost: Int
    private let journal: Journal
    private let listing: Int
    private let grace = Grace()
    /// How often is looked whether the run shall stop.
    private static let lookout: Duration = .milliseconds(50)

    init(context: RunContext, fetches: Bool, renders: Bool) async throws {
        let (listing, round) = try await context.state.transaction { state in
            let (run, listing) = (context.run, try state.listing())
            // What is not planned has no variants yet.
            guard try state.setting(.plannedListing) == String(listing) else {
                return (-1, Round(of: run))
            }
            return (listing, try Round(of: run, listing: listing, asks: fetches, in: state))
        }
        let pipeline = context.pipeline
        let workers = pipeline.workers ?? ProcessFacts.usableCores
        self.context = context
        self.listing = listing
        fileThreads = BlockingThreads(name: "files", count: Self.fileThreads)
        renderThreads = BlockingThreads(name: "render", count: workers)
        let transfer = pipeline.fetching.transfer
        window = 2 * (transfer.transfers + workers)
        windowOfHost =
            fetches
            ? min(4 * transfer.transfersPerHost, transfer.transfers) + 2 * workers : window
        journal = Journal(context: context)
        work = SourceWork(
            context: context,
            journal: journal,
            fetcher: fetches
                ? Fetcher(
                    configuration: pipeline.fetching,
                    originals: context.originals,
                    files: fileThreads
                ) : nil,
            workers: renders
                ? RenderWorkers(
                    of: context.program,
                    count: workers,
                    settings: pipeline.rendering,
                    store: context.store,
                    originals: context.originals
                ) : nil,
            renderThreads: renderThreads,
            fileThreads: fileThreads,
            round: round,
            grace: grace
        )
    }

    func run() async throws -> Ended {
        let totals = Totals()
        let total = try await context.state.run { [listing] in
            try $0.countWantedSources(listing: listing)
        }
        context.progress.begin(work.workers == nil ? .fetch : .render, total: total)
        var feed = SourceFeed(
            context.state,
            listing: listing,
            run: context.run,
            ofOneHost: windowOfHost,
            hosts: window
        ) { try await leaveDone($0, totals) }
        let watch = Task { try await self.watch() }
        var failure: (any Error)?
        do {
            try await withThrowingTaskGroup(of: String.self) { group in
                var inFlight = 0
                feeding: while true {
                    switch inFlight == window ? .wait : try await feed.next() {
                    case .end: break feeding
                    case .wait:
                        guard let host = try await group.next() else {
                            preconditionFailure("who waits has something in flight")
                        }
                        feed.ended(host)
                        inFlight -= 1
                    case .source(let source):
                        if context.isStopping {
                            totals.ended.withLock { $0.isCutShort = true }
                            break feeding
                        }
                        group.addTask {
                            try await handle(source, listing, totals)
                            return source.host
                        }
                        inFlight += 1
                    }
                }
                try await group.waitForAll()
            }
        } catch {
            failure = error
        }
        watch.cancel()
        _ = await watch.result
        // What was done before a broken store or disk is written down where that is still possible.
        do { try await journal.finish() } catch { failure = failure ?? error }
        renderThreads.shutDown()
        work.workers?.shutDown()
        work.fetcher?.shutDown()
        fileThreads.shutDown()
        if let failure { throw failure }
        // Not before: sources of equal bytes share one file.
        if work.workers != nil && !context.pipeline.originals.areKept {
            let owed = try await context.state.run { try $0.owedOriginals() }
            try context.originals.removeAll(but: owed)
        }
        var ended = totals.ended.withLock { $0 }
        if work.fetcher != nil, listing >= 0, !ended.isCutShort {
            try await context.state.run { try $0.endQuestions() }
        }
        ended.sandbox = work.workers?.enforcement
        if let workers = work.workers, workers.lostCount > 0 {
            ended.tally.rendered.add("workers replaced", workers.lostCount)
        }
        return ended
    }

    /// Has nothing more begun when the run shall stop, and after a while nothing go on either.
    private func watch() async throws {
        while !context.isStopping { try await Task.sleep(for: Self.lookout) }
        grace.begin(Grace.length)
        work.fetcher?.stopStarting()
        try await Task.sleep(for: Grace.length)
        work.fetcher?.shutDown()
    }

    /// Deals with the sources that need no more than a look: many at once, as they are the most.
    ///
    /// - Returns: the others.
    private func leaveDone(_ sources: [SourceRow], _ totals: Totals) async throws -> [SourceRow] {
        guard !context.isStopping, sources.contains(where: \.isDone) else { return sources }
        let size = (sources.count + Self.fileThreads - 1) / Self.fileThreads
        let looks = try await fileThreads.run(inSharesOf: size, sources) { [work] share in
            share.compactMap { source in work.lookAtDone(source).map { (source.id, $0) } }
        }
        let found = Dictionary(uniqueKeysWithValues: looks)
        try await journal.record(done: Array(found.keys))
        totals.ended.withLock { ended in
            for name in found.values { ended.tally.fetched.add(name) }
            if work.workers != nil { ended.tally.rendered.add("unchanged", found.count) }
        }
        context.progress.update { $0.done += found.count }
        return sources.filter { found[$0.id] == nil }
    }

    private func handle(_ source: SourceRow, _ listing: Int, _ totals: Totals) async throws {
        let (outcome, tally) = try await work.outcome(of: source, listing)
        totals.ended.withLock { ended in
            ended.tally.add(tally)
            let isLeft = outcome == nil || tally.rendered["left"] > 0
            ended.isCutShort = ended.isCutShort || isLeft
        }
        if let outcome { report(outcome, tally) }
    }

    private func report(_ outcome: SourceOutcome, _ tally: SourceTally) {
        context.progress.update { progress in
            progress.done += 1
            progress.produced += outcome.rendering?.made.count ?? 0
            progress.failed += outcome.failure == nil ? 0 : 1
            progress.fetchedBytes += tally.fetched["bytes"]
        }
    }
}

/// What the sources of a pass add up to.
private final class Totals: Sendable {
    let ended = Mutex(SourcePass.Ended())
}
