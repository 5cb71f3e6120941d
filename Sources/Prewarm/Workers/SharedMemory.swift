internal import Synchronization

/// The budget of all workers of a run.
package final class SharedMemory: Sendable {
    private let budget: Mutex<MemoryBudget>

    package init(total: Int) { budget = Mutex(MemoryBudget(total: total)) }

    /// What the jobs that have begun take.
    package var taken: Int { budget.withLock { $0.taken } }

    package func enter(_ bytes: Int) -> MemoryBudget.Ticket { budget.withLock { $0.enter(bytes) } }
    package func admits(_ ticket: MemoryBudget.Ticket) -> Bool {
        budget.withLock { $0.admits(ticket) }
    }
    package func leave(_ ticket: MemoryBudget.Ticket) { budget.withLock { $0.leave(ticket) } }
}
