internal import Rendering
internal import Store

/// What is due of a planned listing, on the state's thread: the files of all variants are looked at,
/// never read; also those of sources that the listing does not name, as the index names them on.
///
/// Work is taken as done by existence and size of its file.
struct DueSearch {
    let context: RunContext
    let state: StateDatabase
    let listing: Int
    private(set) var tally = Tally()
    private var works: [Kind: String] = [:]

    /// Rows of sources that are looked at at once.
    private static let batch = 200

    /// Files with the same of it are made with the same settings.
    private struct Kind: Hashable {
        var format: String
        var isAnimated: Bool
        var hasAlpha: Bool
        var isOriginal: Bool
    }

    init(context: RunContext, state: StateDatabase, listing: Int) {
        self.context = context
        self.state = state
        self.listing = listing
    }

    /// Looks at every source, and notes of which of those whose bytes the plan wants something is due.
    mutating func run() throws {
        try state.beginDue()
        for last in stride(from: 0, to: try state.lastSource(), by: Self.batch) {
            try context.checkInterruption()
            let next = last + Self.batch
            let refreshed = try refreshedSources(after: last, through: next)
            if !refreshed.isEmpty { tally.add("sources to refresh", refreshed.count) }
            let variants = try state.plannedFiles(listing: listing, from: last + 1, through: next)
            try state.transaction {
                for variant in variants {
                    try look(at: variant, isRefreshed: refreshed.contains(variant.source))
                }
            }
        }
        state.isDueKnown = true
    }

    private mutating func look(at variant: PlannedFile, isRefreshed: Bool) throws {
        let isLost = variant.file.map { !context.store.holds($0, bytes: variant.bytes) } ?? false
        if isLost {
            try state.forgetFile(ofVariant: variant.id)
            tally.add("files lost")
        }
        guard variant.isOfPlan else { return }
        let reason = isLost ? .fileLost : dueReason(variant) ?? (isRefreshed ? .refreshed : nil)
        // Also what is not wanted any more may have to be made again beside what is.
        if reason != nil { try state.noteDue(ofSource: variant.source) }
        guard variant.isWanted else { return }
        tally.add("variants")
        guard let reason else { return }
        tally.add("due")
        tally.add("due \(reason.rawValue)")
    }

    private mutating func dueReason(_ variant: PlannedFile) -> DueReason? {
        guard variant.file != nil else { return .new }
        let kind = Kind(
            format: variant.format,
            isAnimated: variant.isAnimated,
            hasAlpha: variant.hasAlpha,
            isOriginal: variant.isOriginal
        )
        return DueReason(
            isOfVersion: variant.isOfVersion,
            isOfSettings: variant.work == work(of: kind)
        )
    }

    private mutating func work(of kind: Kind) -> String {
        if let known = works[kind] { return known }
        let work = RenderFingerprint.name(
            context.pipeline.rendering,
            format: kind.format,
            isAnimated: kind.isAnimated,
            hasAlpha: kind.hasAlpha,
            isOriginal: kind.isOriginal
        )
        works[kind] = work
        return work
    }

    private func refreshedSources(after last: Int, through end: Int) throws -> Set<Int> {
        if context.refresh.isEmpty { return [] }
        let sources = try state.wantedSources(listing: listing, after: last, limit: Self.batch)
        return Set(sources.lazy.filter { $0.id <= end && context.refreshes($0) }.map(\.id))
    }
}
