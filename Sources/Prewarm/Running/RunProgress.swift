internal import Synchronization

/// How far a run is, for whoever shows it.
package final class RunProgress: Sendable {
    package struct Snapshot: Sendable, Hashable {
        package var stage: Stage?
        /// Pieces of work that the stage has done: lines, or sources.
        package var done = 0
        /// How many there are; `nil` while that is not known.
        package var total: Int?
        /// Variants made.
        package var produced = 0
        /// Sources that failed.
        package var failed = 0
        /// Bytes fetched.
        package var fetchedBytes = 0
    }

    private let state = Mutex(Snapshot())

    package init() {}

    package var snapshot: Snapshot { state.withLock { $0 } }

    func begin(_ stage: Stage, total: Int? = nil) {
        state.withLock { $0 = Snapshot(stage: stage, total: total) }
    }

    func update(_ change: (inout Snapshot) -> Void) { state.withLock { change(&$0) } }
}
