internal import GearboxURL
internal import Store

/// Which variants each source shall have, and which of them are due.
struct PlanStage {
    let context: RunContext
    private static let batch = 500

    func run() async throws -> Tally {
        try await context.state.run { state in
            let listing = try state.listing()
            let planner = VariantPlanner(context.pipeline)
            let canonicalizer = Canonicalizer(rules: context.pipeline.rules)
            var tally = Tally()
            try state.transaction { try state.clearPlan(of: listing) }
            var last = 0
            while true {
                try context.checkInterruption()
                let sources = try state.sources(listing: listing, after: last, limit: Self.batch)
                guard let end = sources.last?.id else { break }
                try state.transaction {
                    for source in sources {
                        tally.add("sources")
                        let requests = try state.requests(ofSource: source.id, listing: listing)
                        let wanted = source.isOpaque ? [nil] : planner.wanted(for: requests)
                        for directives in wanted {
                            try want(directives, of: source, listing, canonicalizer, state)
                        }
                        try checkFiles(of: source, listing, state, &tally)
                    }
                }
                context.progress.update { $0.done += sources.count }
                last = end
            }
            try state.set(.plannedListing, to: String(listing))
            return tally
        }
    }

    private func want(
        _ directives: Directives?,
        of source: SourceRow,
        _ listing: Int,
        _ canonicalizer: Canonicalizer,
        _ state: StateDatabase
    ) throws {
        let key = canonicalizer.key(
            of: directives,
            source: source.path,
            origin: source.origin
        )
        // A dialect that writes no directives has no name for the variant.
        guard let key else { return }
        _ = try state.mark(
            .wanted,
            origin: source.originID,
            source: source.id,
            key: key,
            directives: directives,
            listing: listing
        )
    }

    /// Work is taken as done by existence and size of its file.
    private func checkFiles(
        of source: SourceRow,
        _ listing: Int,
        _ state: StateDatabase,
        _ tally: inout Tally
    ) throws {
        for variant in try state.variants(ofSource: source.id, listing: listing) {
            var isLost = false
            if let file = variant.file, !context.store.holds(file.file, bytes: file.bytes) {
                isLost = true
                try state.forgetFile(ofVariant: variant.id)
                tally.add("files lost")
            }
            guard variant.isWanted else { continue }
            tally.add("variants")
            let changed = variant.dueReason(
                from: source.renderedVersion,
                of: source,
                with: context.pipeline.rendering
            )
            let kept: DueReason? = context.refreshes(source) ? .refreshed : nil
            guard let reason = isLost ? .fileLost : changed ?? kept else { continue }
            tally.add("due")
            tally.add("due \(reason.rawValue)")
        }
    }
}
