internal import Store
internal import Synchronization

/// Brings outcomes into the state, many in one transaction: files before rows.
///
/// What is lost when the process dies is at most one batch, and that work is found due again.
final class Journal: Sendable {
    private static let batch = 256
    /// Of sources that were found done: they are short.
    private static let doneBatch = 2_048
    private static let longestWait: Duration = .seconds(2)

    private struct Pending {
        var outcomes: [SourceOutcome] = []
        /// Sources that were found done.
        var done: [Int] = []
        var since = ContinuousClock.now
    }

    private let context: RunContext
    private let pending = Mutex(Pending())

    init(context: RunContext) { self.context = context }

    /// Takes an outcome; writes when a batch is full or old.
    func record(_ outcome: SourceOutcome) async throws {
        try await add { $0.outcomes.append(outcome) }
    }

    /// Takes sources that were asked about and have nothing new.
    func record(done sources: [Int]) async throws {
        try await add { $0.done += sources }
    }

    private func add(_ change: (inout Pending) -> Void) async throws {
        let isDue = pending.withLock { pending in
            change(&pending)
            let age = ContinuousClock.now - pending.since
            return pending.outcomes.count >= Self.batch || pending.done.count >= Self.doneBatch
                || age >= Self.longestWait
        }
        if isDue { try await write() }
    }

    /// Writes what waits if a rendering of that kind is among it, so that the state has it.
    ///
    /// - Returns: whether one was.
    func settle(version: String, set: String) async throws -> Bool {
        let isAmong = pending.withLock { pending in
            pending.outcomes.contains {
                $0.rendering?.version == version && $0.rendering?.set == set
            }
        }
        if isAmong { try await write() }
        return isAmong
    }

    /// Writes what is left.
    func finish() async throws { try await write() }

    private static func take(_ pending: inout Pending) -> Pending {
        defer { pending = Pending() }
        return pending
    }

    /// What waits is taken on the state's thread: for all others there it is either here or written.
    private func write() async throws {
        try await context.state.run { [self] state in
            let taken = pending.withLock { Self.take(&$0) }
            let outcomes = taken.outcomes
            guard !outcomes.isEmpty || !taken.done.isEmpty else { return }
            let hasFiles = outcomes.contains { $0.isFetched || $0.rendering != nil }
            // The store and the originals lie on one file system: one call has both on the disk.
            if hasFiles { try context.store.sync() }
            try state.transaction {
                for outcome in outcomes { try state.record(outcome, run: context.run) }
                for source in taken.done { try state.setTurn(context.run, ofSource: source) }
            }
        }
    }
}
