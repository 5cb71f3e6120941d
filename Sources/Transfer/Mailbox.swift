internal import Synchronization

/// What other threads ask of the thread that makes transfers.
final class Mailbox: Sendable {
    enum Command: Sendable {
        case submit(Submission)
        case cancel(UInt64)
    }

    private let state = Mutex(State())

    private struct State {
        var commands: [Command] = []
        var isClosed = false
        /// Only while the thread runs: a handle that is gone must not be woken.
        var wakeup: Wakeup?
    }

    /// Asks for something.
    ///
    /// - Returns: whether anybody will see it.
    func post(_ command: Command) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.commands.append(command)
            state.wakeup?.wake()
            return true
        }
    }

    /// Lets nothing more in; the thread fails what it has and ends.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.wakeup?.wake()
        }
    }

    /// Says how the thread is to be woken; `nil` when it ends.
    func setWakeup(_ wakeup: Wakeup?) { state.withLock { $0.wakeup = wakeup } }

    func take() -> (commands: [Command], isClosed: Bool) {
        state.withLock { state in
            defer { state.commands = [] }
            return (state.commands, state.isClosed)
        }
    }
}
