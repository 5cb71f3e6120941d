internal import Synchronization
internal import System

/// The state on a thread of its own: SQLite blocks, so it is kept off Swift's cooperative pool.
final class StateQueue: Sendable {
    private let thread = BlockingThreads(name: "state", count: 1)
    private let state: Mutex<StateDatabase>

    init(path: String) throws {
        state = Mutex(try StateDatabase(path: path))
    }

    func run<Result: Sendable>(
        _ body: @escaping @Sendable (StateDatabase) throws -> Result
    ) async throws -> Result {
        try await thread.run { [self] in
            try state.withLock { state in try body(state) }
        }
    }

    /// The same as one transaction.
    func transaction<Result: Sendable>(
        _ body: @escaping @Sendable (StateDatabase) throws -> Result
    ) async throws -> Result {
        try await run { state in try state.transaction { try body(state) } }
    }

    func shutDown() { thread.shutDown() }
}
