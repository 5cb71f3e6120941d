internal import Synchronization

/// The waits before a retry; all of them can be ended at once, and those that would follow.
final class RetryWaits: Sendable {
    private struct State {
        var waits: [Int: Task<Void, any Error>] = [:]
        var count = 0
        var areEnded = false
    }

    private let state = Mutex(State())

    var areEnded: Bool { state.withLock { $0.areEnded } }

    /// Waits; throws where the wait is ended, or the task cancelled.
    func wait(_ duration: Duration) async throws {
        let wait = Task { try await Task.sleep(for: duration) }
        let id = state.withLock { state in
            state.count += 1
            state.waits[state.count] = wait
            if state.areEnded { wait.cancel() }
            return state.count
        }
        defer { state.withLock { $0.waits[id] = nil } }
        try await withTaskCancellationHandler {
            try await wait.value
        } onCancel: {
            wait.cancel()
        }
    }

    func endAll() {
        let waits = state.withLock { state in
            state.areEnded = true
            return state.waits.values
        }
        for wait in waits { wait.cancel() }
    }
}
