internal import Store
internal import System

/// What is over the budgets: rows go before the next index is made, so that a night publishes one
/// index and not two; originals, which no index names, go at once.
///
/// Variants that tonight's pipeline and manifests did not ask for of tonight's sources go first: their
/// source keeps others, which may stand in for them. Else a source goes with all that was made of it:
/// one decode makes them all, and a client that finds one of them finds the picture.
struct EvictStage {
    let context: RunContext
    /// For a ghost: a source that was evicted is remembered for so many nights, so that one that comes
    /// back counts as seen before.
    private static let rememberedNights = 30
    private static let batch = 500

    func run() async throws -> Tally {
        let report = try await evict(context.pipeline.budget)
        var tally = Tally()
        if report.sources > 0 { tally.add("sources", report.sources) }
        if report.variants > 0 {
            tally.add("variants", report.variants)
            tally.add("bytes", report.bytesBefore - report.bytesAfter)
        }
        if report.wantedSources > 0 { tally.add("still wanted", report.wantedSources) }
        if report.originals > 0 { tally.add("originals", report.originals) }
        return tally
    }

    /// Takes out what is over a budget, and originals over theirs; `isDry` only says what would go, and
    /// `counts` has each file counted once also where nothing has to go.
    func evict(
        _ budget: EvictionBudget,
        isDry: Bool = false,
        counts: Bool = false
    ) async throws -> EvictionReport {
        let originals = context.pipeline.originals.maxBytes
        return try await context.state.run { state in
            var report = EvictionReport()
            try Self.choose(by: budget, counts: counts, state, &report)
            if !isDry { try evictChosen(state) }
            if let originals { try evictOriginals(over: originals, isDry: isDry, state, &report) }
            return report
        }
    }

    /// Says in tables beside the state what goes by a budget.
    static func choose(
        by budget: EvictionBudget,
        counts: Bool = true,
        _ state: StateDatabase,
        _ report: inout EvictionReport
    ) throws {
        report.bytesBefore = try state.variantBytes()
        report.bytesAfter = report.bytesBefore
        try state.beginEviction()
        let now = Int(WallTime.now().secondsSince1970)
        let oldest = budget.maxAgeSeconds.map { now - $0 }
        // Equal files are counted once for each row here: no more than that are there.
        let isOver = budget.maxBytes.map { report.bytesBefore > $0 } ?? false
        let isOld = try oldest.map(state.hasSources(notSeenSince:)) ?? false
        guard isOver || isOld || counts else { return }
        try state.countOwners()
        report.bytesBefore = try state.ownedBytes()
        report.bytesAfter = report.bytesBefore
        let listing = try state.listing()
        func choose(_ source: EvictionCandidate) throws {
            try RunContext.checkInterruption()
            let chosen = try state.choose(source.id)
            report.sources += 1
            report.variants += chosen.variants
            report.bytesAfter -= chosen.bytes
            if source.listing == listing { report.wantedSources += 1 }
        }
        if let oldest {
            try state.forEachCandidate(notSeenSince: oldest) { source in
                try choose(source)
                return true
            }
        }
        guard let maxBytes = budget.maxBytes else { return }
        // Before a listing is planned to its end nobody knows what it does not want.
        if try state.setting(.plannedListing) == String(listing) {
            try state.forEachSuperseded(in: listing) { variant in
                guard report.bytesAfter > maxBytes else { return false }
                try RunContext.checkInterruption()
                report.bytesAfter -= try state.chooseVariant(variant)
                report.variants += 1
                return true
            }
        }
        try state.forEachCandidate { source in
            guard report.bytesAfter > maxBytes else { return false }
            try choose(source)
            return true
        }
    }

    private func evictChosen(_ state: StateDatabase) throws {
        while true {
            try context.checkInterruption()
            let variants = try state.chosenVariants(limit: Self.batch)
            if variants.isEmpty { break }
            try state.transaction { for variant in variants { try state.evictVariant(variant) } }
        }
        while true {
            try context.checkInterruption()
            let sources = try state.chosenSources(limit: Self.batch)
            if sources.isEmpty { break }
            try state.transaction {
                for source in sources { try state.evict(source, run: context.run) }
            }
        }
        let night = try state.night()
        try state.transaction { try state.forgetEvicted(before: night - Self.rememberedNights) }
    }

    /// The rows stay: what they know of an original saves its transfer while it is not needed.
    private func evictOriginals(
        over maxBytes: Int,
        isDry: Bool,
        _ state: StateDatabase,
        _ report: inout EvictionReport
    ) throws {
        guard try state.originalBytes() > maxBytes else { return }
        try state.beginOriginals()
        try state.transaction {
            try context.originals.forEachFile { file, bytes in
                try state.addOriginal(file, bytes: bytes)
            }
        }
        report.originalBytesBefore = try state.heldOriginalBytes()
        var left = report.originalBytesBefore
        guard left > maxBytes else { return }
        try state.forEachOriginal { file, bytes in
            guard left > maxBytes else { return false }
            try context.checkInterruption()
            left -= bytes
            report.originals += 1
            report.originalBytes += bytes
            if !isDry { try context.originals.remove(file) }
            return true
        }
    }
}
