internal import GearboxDatabase
internal import Synchronization
internal import System

/// The state on a thread of its own: SQLite blocks, so it is kept off Swift's cooperative pool.
final class StateQueue: Sendable {
    private let thread = BlockingThreads(name: "state", count: 1)
    private let state: Mutex<StateDatabase>

    init(path: String) throws {
        state = Mutex(try StateDatabase(path: path))
    }

    /// Opens the state of a cache directory that this process has locked, for as long as `body`
    /// works on it: one that was lost begins with what the published index says.
    ///
    /// - Throws: what `body` throws. A damaged state is moved away, so that the next run begins
    ///   another, and the error says so.
    static func with<Result>(
        cache: String,
        _ body: (StateQueue) async throws -> Result
    ) async throws -> Result {
        let path = "\(cache)/state.sqlite"
        do {
            let queue = try StateQueue(path: path)
            defer { queue.shutDown() }
            try await queue.run { try $0.restore(fromIndexAt: "\(cache)/index.sqlite") }
            return try await body(queue)
        } catch let error as DatabaseError {
            // Also where another database is named: the next index is filled from the state.
            if let damage = StateDatabase.damage(of: path, after: error) {
                throw try StateDatabase.setAside(path, damage)
            }
            guard error.subject == path, error.code == .corrupt || error.code == .notADatabase
            else { throw error }
            throw StateError(
                path: path,
                message: "SQLite could not read it for once, and finds nothing wrong with it now;"
                    + " check its disk and run again"
            )
        } catch let error as StateDamage {
            throw try StateDatabase.setAside(path, error.message)
        }
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
