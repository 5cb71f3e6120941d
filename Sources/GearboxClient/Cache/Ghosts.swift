/// The names of newcomers that left before they were asked for again.
///
/// One that comes back is no newcomer: it was pushed out by others that came between. Names are
/// kept as hashes: two that share one cost a picture a better or worse place, nothing else.
struct Ghosts: Sendable {
    private var tickets: [Int: Int] = [:]
    /// The names from `first` on, in the order in which they came.
    private var order: [(name: Int, ticket: Int)] = []
    private var first = 0
    private var nextTicket = 0

    var count: Int { tickets.count }

    /// Remembers a name, and forgets the oldest beyond the limit.
    mutating func remember(_ name: Int, limit: Int) {
        tickets[name] = nextTicket
        order.append((name, nextTicket))
        nextTicket += 1
        while tickets.count > limit { forgetOldest() }
    }

    /// Whether a name is remembered; it is not any more then.
    mutating func recall(_ name: Int) -> Bool { tickets.removeValue(forKey: name) != nil }

    mutating func removeAll() {
        tickets.removeAll()
        order.removeAll()
        first = 0
    }

    private mutating func forgetOldest() {
        let (name, ticket) = order[first]
        first += 1
        // A name that was recalled and remembered again stands further behind too.
        if tickets[name] == ticket { tickets[name] = nil }
        if 2 * first > order.count {
            order.removeFirst(first)
            first = 0
        }
    }
}
