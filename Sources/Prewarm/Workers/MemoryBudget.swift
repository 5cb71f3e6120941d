/// Memory that several jobs share: who may begin.
///
/// First come, first served, so that small jobs never keep a large one waiting for ever. A job that
/// is larger than all there is begins when it is alone.
package struct MemoryBudget: Sendable {
    package struct Ticket: Hashable, Sendable {
        fileprivate var number: Int
        fileprivate var bytes: Int
    }

    package let total: Int
    /// What the jobs that have begun take.
    package private(set) var taken = 0
    private var waiting: [Ticket] = []
    private var begun: Set<Ticket> = []
    private var issued = 0

    package init(total: Int) { self.total = total }

    /// Puts a job at the end of the line.
    package mutating func enter(_ bytes: Int) -> Ticket {
        issued += 1
        let ticket = Ticket(number: issued, bytes: max(0, bytes))
        waiting.append(ticket)
        return ticket
    }

    /// Whether a job may begin, or has begun.
    package mutating func admits(_ ticket: Ticket) -> Bool {
        if begun.contains(ticket) { return true }
        guard waiting.first == ticket, begun.isEmpty || taken + ticket.bytes <= total else {
            return false
        }
        waiting.removeFirst()
        begun.insert(ticket)
        taken += ticket.bytes
        return true
    }

    /// Takes a job out, whether it has begun or not.
    package mutating func leave(_ ticket: Ticket) {
        if begun.remove(ticket) != nil {
            taken -= ticket.bytes
        } else {
            waiting.removeAll { $0 == ticket }
        }
    }
}
