internal import Digest
internal import Fetching
internal import GearboxURL
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
        var fetched = Tally()
        var rendered = Tally()
        /// Whether sources were left because the run had to stop.
        var isCutShort = false
    }

    private static let page = 256
    /// They wait for the disk, for mirrors mostly.
    private static let fileThreads = 4

    private let context: RunContext
    private let fetches: Bool
    private let renders: Bool
    private let fetcher: Fetcher
    private let renderer: Renderer
    private let fileThreads: BlockingThreads
    private let renderThreads: BlockingThreads
    private let window: Int
    private let work: String
    private let renderCount = RenderCount()
    private let origins: [String: Pipeline.Origin]
    private let hosts: [String: [String]]

    init(context: RunContext, fetches: Bool, renders: Bool) throws {
        let pipeline = context.pipeline
        self.context = context
        self.fetches = fetches
        self.renders = renders
        fileThreads = BlockingThreads(name: "files", count: Self.fileThreads)
        fetcher = Fetcher(
            configuration: pipeline.fetching,
            originals: context.originals,
            files: fileThreads
        )
        renderer = try Renderer(settings: pipeline.rendering, store: context.store)
        let workers = pipeline.workers ?? ProcessFacts.usableCores
        renderThreads = BlockingThreads(name: "render", count: workers) {
            Renderer.threadWillExit()
        }
        window = pipeline.fetching.transfer.transfers + 2 * workers
        work = RenderFingerprint.name(pipeline.rendering)
        origins = Dictionary(uniqueKeysWithValues: pipeline.origins.map { ($0.name, $0) })
        hosts = Dictionary(
            uniqueKeysWithValues: pipeline.rules.origins.map { ($0.name, $0.hosts) }
        )
    }

    func run() async throws -> Ended {
        let totals = Totals()
        let journal = Journal(context: context)
        let listing = try await context.state.run { try $0.listing() }
        let total = try await context.state.run { try $0.countSources(listing: listing) }
        context.progress.begin(fetches ? .fetch : .render, total: total)
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
                            let (outcome, tally) = try await pass(source, listing)
                            totals.ended.withLock { ended in
                                ended.fetched.add(tally.fetched)
                                ended.rendered.add(tally.rendered)
                            }
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
        fetcher.shutDown()
        fileThreads.shutDown()
        if let failure { throw failure }
        // Not before: sources of equal bytes share one file.
        if renders && !context.pipeline.keepsOriginals { try context.originals.removeAll() }
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

    // MARK: One source

    private func pass(
        _ source: SourceRow,
        _ listing: Int
    ) async throws -> (SourceOutcome, SourceTally) {
        var outcome = SourceOutcome(source: source.id)
        var tally = SourceTally()
        let variants = try await context.state.run {
            try $0.variants(ofSource: source.id, listing: listing)
        }
        let original =
            fetches
            ? try await fetch(source, variants, &outcome, &tally.fetched)
            : held(source, &outcome, &tally.fetched)
        if renders, let original {
            try await render(source, original, variants, &outcome, &tally.rendered)
        }
        return (outcome, tally)
    }

    /// The variants that an original of this version shall have.
    ///
    /// When the bytes change, what was made of the old ones is remade with what is wanted.
    private func current(
        _ variants: [VariantRow],
        version: String,
        of source: SourceRow
    ) -> [VariantRow] {
        variants.filter { $0.isWanted || version != source.renderedVersion }
    }

    /// Those of them that are not made yet.
    private func due(
        _ variants: [VariantRow],
        version: String,
        of source: SourceRow
    ) -> [VariantRow] {
        current(variants, version: version, of: source).filter { variant in
            variant.file?.version != version || variant.file?.work != work
        }
    }

    private func held(
        _ source: SourceRow,
        _ outcome: inout SourceOutcome,
        _ tally: inout Tally
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
        _ outcome: inout SourceOutcome,
        _ tally: inout Tally
    ) async throws -> SourceRow.Original? {
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
            if error.stopsTheRun { throw error }
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
        let origin = origins[source.origin]
        return FetchRequest(
            url: source.url,
            path: source.path,
            chain: origin?.sources ?? [.http],
            otherHosts: otherHosts(of: source),
            headers: (origin?.headers ?? [:]).map { ($0.key, $0.value) },
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

    /// The source on the other hosts of its origin; what goes verbatim stays where it is.
    private func otherHosts(of source: SourceRow) -> [String] {
        guard !source.isOpaque, source.url.hasSuffix(source.path),
            let hosts = hosts[source.origin]
        else { return [] }
        let site = source.url.dropLast(source.path.count)
        guard let scheme = site.firstRange(of: "//") else { return [] }
        return hosts.filter { $0 != site[scheme.upperBound...] }.map {
            site[..<scheme.upperBound] + $0 + source.path
        }
    }

    /// Makes what is due of an original.
    private func render(
        _ source: SourceRow,
        _ original: SourceRow.Original,
        _ variants: [VariantRow],
        _ outcome: inout SourceOutcome,
        _ tally: inout Tally
    ) async throws {
        let due = due(variants, version: original.version, of: source)
        guard !due.isEmpty else { return tally.add("unchanged") }
        let attempt = "\(original.version) \(work)"
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
            let rendered = try await renderThreads.run { [renderer, renderCount] in
                defer { renderCount.next() }
                return try renderer.render(job)
            }
            let rendering = SourceOutcome.Rendering(
                rendered,
                version: original.version,
                work: work,
                rows: due
            )
            tally.add("rendered")
            tally.add("variants", rendering.made.count)
            tally.add("variants failed", rendering.failed.count)
            outcome.rendering = rendering
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

/// What the sources of a pass add up to.
private final class Totals: Sendable {
    let ended = Mutex(SourcePass.Ended())
}

/// Gives memory back after every so many renderings: pictures of all sizes leave holes.
private final class RenderCount: Sendable {
    private static let interval = 64
    private let count = Mutex(0)

    func next() {
        let isDue = count.withLock { count in
            count += 1
            return count % Self.interval == 0
        }
        if isDue { ProcessMemory.giveBack() }
    }
}

/// What one source adds to the stages' tallies.
struct SourceTally: Sendable {
    var fetched = Tally()
    var rendered = Tally()
}
