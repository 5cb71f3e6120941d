internal import CSQLite

/// A value that one thread at a time reads and changes.
///
/// The lock is SQLite's own, because it is on every system that GearboxDatabase is: `Mutex` of the
/// module Synchronization asks for iOS 18.
///
/// See <https://sqlite.org/c3ref/mutex_alloc.html>.
@safe package final class Lock<State: Sendable>: @unchecked Sendable {
    // Unchecked: `state` is only touched between entering and leaving the mutex.
    private let mutex: OpaquePointer
    private var state: State

    package init(_ state: State) {
        guard let made = unsafe sqlite3_mutex_alloc(SQLITE_MUTEX_FAST) else {
            preconditionFailure("SQLite has no mutex: there is no memory, or it knows no threads")
        }
        unsafe mutex = made
        self.state = state
    }

    deinit { unsafe sqlite3_mutex_free(mutex) }

    /// Waits for its turn and runs the body, which must not come back here.
    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe sqlite3_mutex_enter(mutex)
        defer { unsafe sqlite3_mutex_leave(mutex) }
        return try body(&state)
    }

    /// Runs the body where that needs no waiting; `nil` where another thread is at it.
    package func withLockIfFree<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard unsafe sqlite3_mutex_try(mutex) == SQLITE_OK else { return nil }
        defer { unsafe sqlite3_mutex_leave(mutex) }
        return try body(&state)
    }
}
