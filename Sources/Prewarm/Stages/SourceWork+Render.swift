internal import Fetching
internal import Rendering
internal import Store
internal import System

/// How a source gets its variants.
extension SourceWork {
    /// Makes what is due of an original, and writes the outcome down.
    func render(
        _ source: SourceRow,
        _ original: SourceRow.Original,
        _ variants: [VariantRow],
        _ workers: RenderWorkers,
        _ outcome: inout SourceOutcome,
        _ tally: inout Tally
    ) async throws {
        let due = due(variants, version: original.version, of: source)
        let isProbed = chains.probes(source) && source.renderedVersion != original.version
        guard !due.isEmpty || isProbed else {
            tally.add("unchanged")
            return try await journal.record(outcome)
        }
        let attempt = attempt(at: original)
        if source.failedWork == attempt, !context.refreshes(source) {
            tally.add("known to fail")
            outcome.failure = SourceFailure(
                stage: .render,
                code: source.failureCode ?? "",
                message: source.failure ?? "",
                attempts: 0,
                work: attempt
            )
            if source.failureCode.flatMap(RenderError.Code.init)?.mayBeDamage == true {
                outcome.original = original.withoutValidators
            }
            return try await journal.record(outcome)
        }
        let current = current(variants, version: original.version, of: source)
        let job = RenderJob(
            original: context.originals.path(of: original.file),
            format: FileFormat(rawValue: original.format) ?? .unknown,
            wanted: current.map { WantedVariant(key: $0.key, directives: $0.directives) },
            due: Set(due.map(\.key))
        )
        // What depends on what was made before has no name: it is nobody else's.
        let set =
            due.count == current.count
            ? RenderFingerprint.set(of: current, context.pipeline.rendering) : nil
        guard let set else {
            try await render(job, source, due, original, nil, workers, &outcome, &tally)
            return try await journal.record(outcome)
        }
        let turn = "\(original.version) \(set)"
        await turns.begin(turn)
        // Not before the outcome can be found by whoever has waited.
        defer { turns.end(turn) }
        if !context.refreshes(source),
            let made = try await madeElsewhere(original.version, set, source.id, due)
        {
            tally.add("same bytes")
            tally.add("variants", made.made.count)
            outcome.rendering = made
        } else {
            try await render(job, source, due, original, set, workers, &outcome, &tally)
        }
        try await journal.record(outcome)
    }

    /// What another source has of the same bytes, where that is all that is wanted here.
    private func madeElsewhere(
        _ version: String,
        _ set: String,
        _ source: Int,
        _ due: [VariantRow]
    ) async throws -> SourceOutcome.Rendering? {
        let look: @Sendable (StateDatabase) throws -> SourceOutcome.Rendering? = { state in
            try state.rendering(of: version, set: set, notOf: source, for: due)
        }
        var found = try await context.state.run(look)
        if found == nil, try await journal.settle(version: version, set: set) {
            found = try await context.state.run(look)
        }
        guard let found,
            found.made.allSatisfy({ context.store.holds($0.file, bytes: $0.bytes) })
        else { return nil }
        return found
    }

    /// The name of a rendering that may fail, and then would fail again.
    private func attempt(at original: SourceRow.Original) -> String {
        "\(original.version) \(RenderFingerprint.full(context.pipeline.rendering))"
    }

    /// What it is called: of bytes that stay as they are only the header is read, or they are stored.
    private func work(on source: SourceRow, _ due: [VariantRow]) -> String {
        if due.isEmpty { return "probed" }
        return source.variantOf == nil ? "rendered" : "stored"
    }

    private func render(
        _ job: RenderJob,
        _ source: SourceRow,
        _ due: [VariantRow],
        _ original: SourceRow.Original,
        _ set: String?,
        _ workers: RenderWorkers,
        _ outcome: inout SourceOutcome,
        _ tally: inout Tally
    ) async throws {
        do {
            let rendered = try await renderThreads.run { [context] in
                if context.isStopping { throw Interrupted() }
                return try workers.render(job)
            }
            let rendering = SourceOutcome.Rendering(
                rendered,
                version: original.version,
                set: set,
                settings: context.pipeline.rendering,
                rows: due
            )
            tally.add(work(on: source, due))
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
                work: error.isPermanent ? attempt(at: original) : nil
            )
            if error.code.mayBeDamage { outcome.original = original.withoutValidators }
        }
    }
}

extension SourceRow.Original {
    /// The same as if nobody knew whether it is still what its origin has.
    ///
    /// Bytes that were damaged on their way have the validators of the whole ones: asked with them,
    /// the origin would say "not changed" of the damage for ever. A mirror's stamp is the file's own.
    fileprivate var withoutValidators: SourceRow.Original {
        var original = self
        original.validators = Validators(fileStamp: validators.fileStamp)
        original.checkedAt = 0
        return original
    }
}
