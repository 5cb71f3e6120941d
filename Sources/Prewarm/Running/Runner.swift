internal import Fetching
package import GearboxURL
internal import Store
internal import System
internal import Transfer

/// One execution of a pipeline: its stages in order, under the cache directory's lock.
package struct Runner: Sendable {
    package let pipeline: Pipeline
    private let stages: Set<Stage>
    private let refresh: [Wildcard]
    private let progress: RunProgress
    private let program: String

    /// - Parameters:
    ///   - pipeline: what to run.
    ///   - stages: which of its stages.
    ///   - refresh: sources, by key or URL, that are fetched and rendered anew.
    ///   - progress: told of every step.
    ///   - program: the file of gearbox, started again for each worker; this process's own if not
    ///     given.
    package init(
        pipeline: Pipeline,
        stages: Set<Stage>,
        refresh: [Wildcard] = [],
        progress: RunProgress,
        program: String? = nil
    ) {
        self.pipeline = pipeline
        self.stages = stages
        self.refresh = refresh
        self.progress = progress
        self.program = program ?? RunContext.thisProgram
    }

    /// Runs the stages.
    ///
    /// - Parameter reading: called with the report while the state is still open, for who wants the
    ///   outcome of each line.
    /// - Returns: what was done.
    /// - Throws: what ends a night: an unreadable manifest, a broken store, database or lock. What
    ///   befalls a single entry is in the report.
    package func run(
        reading: (RunReport, RunOutcomes) async throws -> Void = { _, _ in }
    ) async throws -> RunReport {
        try Files.createDirectories(pipeline.cache)
        let lock = try DirectoryLock(of: pipeline.cache)
        let store = try Store(root: pipeline.cache)
        try store.sweepTemporaryFiles()
        let report = try await StateQueue.with(cache: pipeline.cache) { state in
            try await run(store, state, reading: reading)
        }
        _ = consume lock
        return report
    }

    private func run(
        _ store: Store,
        _ state: StateQueue,
        reading: (RunReport, RunOutcomes) async throws -> Void
    ) async throws -> RunReport {
        let name = pipeline.name
        let remembered = pipeline.rememberedText
        let originals = try Store(root: pipeline.cache, folder: "originals")
        let isAnyFileThere = try !store.folders().isEmpty || !originals.folders().isEmpty
        let run = try await state.run {
            try $0.claim(for: name)
            // What such a run has made and not written down is nobody's, unless this one makes it too.
            if try isAnyFileThere && !$0.hasLastRunEnded() { try $0.set(.isOrphaned, to: "1") }
            if try $0.setting(.effectivePipeline) == nil {
                try $0.set(.effectivePipeline, to: remembered)
            }
            return try $0.beginRun(pipeline: name, at: Int(WallTime.now().secondsSince1970))
        }
        let bounded = pipeline.within(openFiles: ProcessFacts.raiseOpenFileLimit())
        let context = RunContext(
            run: run,
            pipeline: bounded,
            state: state,
            store: store,
            originals: originals,
            progress: progress,
            deadline: pipeline.deadlineSeconds.map { ContinuousClock.now + .seconds($0) },
            refresh: refresh,
            program: program
        )
        try await PublishStage(context: context).settle()
        let start = ContinuousClock.now
        var report = RunReport(run: run, pipeline: name, cache: pipeline.cache)
        let transfers = bounded.fetching.transfer.transfers
        if stages.contains(.fetch), transfers < pipeline.fetching.transfer.transfers {
            report.transfersWithinOpenFiles = transfers
        }
        do {
            try await context.checkThatStoreIsThere()
            try await runStages(context, &report)
            try await complete(&report, context)
            report.seconds = (ContinuousClock.now - start) / .seconds(1)
            try await reading(report, RunOutcomes(state: state, run: run, unmade: unmade(report)))
        } catch {
            let message = "\(error)"
            try? await state.run {
                try $0.endRun(
                    run,
                    at: Int(WallTime.now().secondsSince1970),
                    exitStatus: 4,
                    message: message
                )
            }
            throw error
        }
        let exitStatus = report.isInterrupted ? 130 : report.hasFailed ? 1 : 0
        let isNightDone = !report.isInterrupted && stages.contains(.publish)
        let isRoundDone =
            !report.isInterrupted && !report.hasReachedDeadline && stages.contains(.fetch)
        try await state.run {
            if isNightDone { try $0.set(.isNightDone, to: "1") }
            if isRoundDone { try $0.endRound() }
            try $0.endRun(
                run,
                at: Int(WallTime.now().secondsSince1970),
                exitStatus: exitStatus,
                message: nil
            )
        }
        return report
    }

    private func runStages(_ context: RunContext, _ report: inout RunReport) async throws {
        let stages = Stage.allCases.filter(self.stages.contains)
        var isSourcePassDone = false
        do {
            for stage in stages {
                try context.checkInterruption()
                progress.begin(stage)
                if stage == .fetch || stage == .render {
                    if isSourcePassDone { continue }
                    isSourcePassDone = true
                    try await runSourcePass(context, &report)
                    continue
                }
                let start = ContinuousClock.now
                let tally = try await run(stage, context)
                try await note(stage, since: start, tally, context, &report)
            }
        } catch is Interrupted {
            report.isInterrupted = true
        }
    }

    private func run(_ stage: Stage, _ context: RunContext) async throws -> Tally {
        switch stage {
        case .ingest: try await IngestStage(context: context).run()
        case .canonicalize: try await CanonicalizeStage(context: context).run()
        case .plan: try await PlanStage(context: context).run()
        case .evict: try await EvictStage(context: context).run()
        case .index: try await index(context)
        case .publish: try await publish(context)
        case .fetch, .render: preconditionFailure("fetch and render run as one pass")
        }
    }

    private func index(_ context: RunContext) async throws -> Tally {
        let remembered = pipeline.rememberedText
        try await context.state.run { try $0.set(.effectivePipeline, to: remembered) }
        return try await IndexStage(context: context).run()
    }

    /// Files that the new index and the one before it do not name go when it is published.
    private func publish(_ context: RunContext) async throws -> Tally {
        var tally = try await PublishStage(context: context).run()
        let swept = try await RetiredFiles(context: context).sweepIfDue()
        let orphans = try await OrphanFiles(context: context).sweepIfDue()
        if swept.files + orphans > 0 { tally.add("files removed", swept.files + orphans) }
        if swept.waiting > 0 { tally.add("files waiting", swept.waiting) }
        return tally
    }

    /// Fetch and render overlap: each source goes through both, many at a time.
    private func runSourcePass(_ context: RunContext, _ report: inout RunReport) async throws {
        let pass = try await SourcePass(
            context: context,
            fetches: stages.contains(.fetch),
            renders: stages.contains(.render)
        )
        let start = ContinuousClock.now
        let ended = try await pass.run()
        report.sandbox = ended.sandbox
        if stages.contains(.fetch) {
            try await note(.fetch, since: start, ended.tally.fetched, context, &report)
        }
        if stages.contains(.render) {
            try await note(.render, since: start, ended.tally.rendered, context, &report)
        }
        if Interruption.isRequested { throw Interrupted() }
        if ended.isCutShort { report.hasReachedDeadline = true }
    }

    /// Why lines were not reached, where that was asked for.
    private func unmade(_ report: RunReport) -> String? {
        guard !report.isInterrupted, !report.hasReachedDeadline, let last = stages.max(),
            last < .render
        else { return nil }
        return "not made yet: the run was asked to stop after \(last.rawValue)"
    }

    private func note(
        _ stage: Stage,
        since start: ContinuousClock.Instant,
        _ tally: Tally,
        _ context: RunContext,
        _ report: inout RunReport
    ) async throws {
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        report.stages.append(
            RunReport.StageReport(stage: stage, seconds: seconds, tally: tally)
        )
        let run = context.run
        try await context.state.transaction {
            try $0.record(stage, seconds: seconds, tally: tally, run: run)
        }
    }

    private func complete(_ report: inout RunReport, _ context: RunContext) async throws {
        let run = context.run
        let found = try await context.state.run { state in
            let listing = try state.listing()
            let counts = try state.countOutcomes(run: run, listing: listing)
            return (
                outcomes: Dictionary(counts.map { ($0.outcome, $0.lines) }, uniquingKeysWith: +),
                reasons: try state.reasons(counts, run: run, listing: listing, samples: 3),
                made: try state.madeInRun(run)
            )
        }
        report.outcomes = found.outcomes
        report.reasons = found.reasons.map { $0.saying(unmade(report)) }
        report.madeVariants = found.made.variants
        report.madeBytes = found.made.bytes
        report.index = PublishedIndex.summary(context)
    }
}
