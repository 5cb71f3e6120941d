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

        /// Whether the thread has found nothing and waits; the first who asks wakes it.
        var isWaiting = false
        /// Hosts for which nothing more can start before something ends, which wakes it, too.
        var fullHosts: Set<String> = []

        mutating func wake() {
            guard isWaiting else { return }
            isWaiting = false
            wakeup?.wake()
        }
    }

    /// Asks for something.
    ///
    /// - Returns: whether anybody will see it.
    func post(_ command: Command) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.commands.append(command)
            if case .submit(let submission) = command,
                state.fullHosts.contains(submission.location.server)
            {
                return true
            }
            state.wake()
            return true
        }
    }

    /// Lets nothing more in; the thread fails what it has and ends.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.wake()
        }
    }

    /// Says how the thread is to be woken; `nil` when it ends.
    func setWakeup(_ wakeup: Wakeup?) { state.withLock { $0.wakeup = wakeup } }

    func take() -> (commands: [Command], isClosed: Bool) {
        state.withLock { state in
            defer { state.commands = [] }
            state.isWaiting = false
            state.fullHosts = []
            return (state.commands, state.isClosed)
        }
    }

    /// Says that the thread is about to wait, and for which hosts it need not be woken.
    ///
    /// - Returns: whether it may: nobody has asked for anything.
    func mayWait(fullHosts: Set<String>) -> Bool {
        state.withLock { state in
            state.fullHosts = fullHosts
            state.isWaiting = state.commands.isEmpty && !state.isClosed
            return state.isWaiting
        }
    }
}
