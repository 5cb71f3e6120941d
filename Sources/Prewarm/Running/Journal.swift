internal import Store
internal import Synchronization

/// Brings outcomes into the state, many in one transaction: files before rows.
///
/// What is lost when the process dies is at most one batch, and that work is found due again.
final class Journal: Sendable {
    private static let batch = 256
    private static let longestWait: Duration = .seconds(2)

    private struct Pending {
        var outcomes: [SourceOutcome] = []
        var since = ContinuousClock.now
    }

    private let context: RunContext
    private let pending = Mutex(Pending())

    init(context: RunContext) { self.context = context }

    /// Takes an outcome; writes when a batch is full or old.
    func record(_ outcome: SourceOutcome) async throws {
        let due: [SourceOutcome] = pending.withLock { pending in
            pending.outcomes.append(outcome)
            let age = ContinuousClock.now - pending.since
            guard pending.outcomes.count >= Self.batch || age >= Self.longestWait else { return [] }
            return Self.take(&pending)
        }
        try await write(due)
    }

    /// Writes what is left.
    func finish() async throws {
        try await write(pending.withLock { Self.take(&$0) })
    }

    private static func take(_ pending: inout Pending) -> [SourceOutcome] {
        defer { pending = Pending() }
        return pending.outcomes
    }

    private func write(_ outcomes: [SourceOutcome]) async throws {
        guard !outcomes.isEmpty else { return }
        let context = context
        let hasFiles = outcomes.contains { $0.original != nil || $0.rendering != nil }
        try await context.state.run { state in
            // The store and the originals lie on one file system: one call has both on the disk.
            if hasFiles { try context.store.sync() }
            try state.transaction {
                for outcome in outcomes { try state.record(outcome, run: context.run) }
            }
        }
    }
}
