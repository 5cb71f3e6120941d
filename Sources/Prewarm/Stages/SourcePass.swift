internal import Fetching
internal import Rendering
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
    }

    private static let page = 256
    /// They wait for the disk, for mirrors mostly.
    private static let fileThreads = 4

    private let context: RunContext
    private let work: SourceWork
    private let fileThreads: BlockingThreads
    private let renderThreads: BlockingThreads
    private let window: Int

    init(context: RunContext, fetches: Bool, renders: Bool) throws {
        let pipeline = context.pipeline
        let workers = pipeline.workers ?? ProcessFacts.usableCores
        self.context = context
        fileThreads = BlockingThreads(name: "files", count: Self.fileThreads)
        renderThreads = BlockingThreads(name: "render", count: workers) {
            // A library that was never started cannot forget a thread.
            if renders { Renderer.threadWillExit() }
        }
        window = pipeline.fetching.transfer.transfers + 2 * workers
        work = SourceWork(
            context: context,
            fetcher: fetches
                ? Fetcher(
                    configuration: pipeline.fetching,
                    originals: context.originals,
                    files: fileThreads
                ) : nil,
            renderer: renders
                ? try Renderer(settings: pipeline.rendering, store: context.store) : nil,
            renderThreads: renderThreads
        )
    }

    func run() async throws -> Ended {
        let totals = Totals()
        let journal = Journal(context: context)
        let (listing, total) = try await context.state.run { state in
            let listing = try state.listing()
            return (listing, try state.countSources(listing: listing))
        }
        context.progress.begin(work.renderer == nil ? .fetch : .render, total: total)
        var last = 0
        var failure: (any Error)?
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                var inFlight = 0
                pages: while true {
                    let after = last
                    let sources = try await context.state.run {
                        try $0.sources(listing: listing, after: after, limit: Self.page)
                    }
                    guard let end = sources.last?.id else { break }
                    for source in sources {
                        if context.isStopping {
                            totals.ended.withLock { $0.isCutShort = true }
                            break pages
                        }
                        if inFlight == window {
                            try await group.next()
                            inFlight -= 1
                        }
                        group.addTask {
                            let (outcome, tally) = try await work.outcome(of: source, listing)
                            totals.ended.withLock { ended in
                                ended.tally.add(tally)
                                let isLeft = outcome == nil || tally.rendered["left"] > 0
                                ended.isCutShort = ended.isCutShort || isLeft
                            }
                            guard let outcome else { return }
                            report(outcome, tally)
                            try await journal.record(outcome)
                        }
                        inFlight += 1
                    }
                    last = end
                }
                try await group.waitForAll()
            }
        } catch {
            failure = error
        }
        // What was done before a broken store or disk is written down where that is still possible.
        do { try await journal.finish() } catch { failure = failure ?? error }
        renderThreads.shutDown()
        work.fetcher?.shutDown()
        fileThreads.shutDown()
        if let failure { throw failure }
        // Not before: sources of equal bytes share one file.
        if work.renderer != nil && !context.pipeline.keepsOriginals {
            try context.originals.removeAll()
        }
        return totals.ended.withLock { $0 }
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
