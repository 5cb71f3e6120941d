/// Who may start next: counts what is in flight, in all and to each host, and takes the hosts in
/// turn, so that one with a long queue does not hold the others up.
///
/// A value without clocks, locks or handles. Every call costs the same however many wait.
package struct Admission {
    package typealias ID = UInt64

    private let limit: Int
    private let limitPerHost: Int
    private var inFlight = 0
    private var hosts: [String: Host] = [:]
    /// The hosts that have someone waiting and room for one more, in the order of their turns.
    private var turns = Queue<String>()
    /// The host of each one that waits.
    ///
    /// Who has left is skipped when their turn comes.
    private var waiting: [ID: String] = [:]

    private struct Host {
        var inFlight = 0
        var queue = Queue<ID>()
        var hasTurn = false
    }

    package init(limit: Int, limitPerHost: Int) {
        precondition(limit > 0 && limitPerHost > 0, "nothing would ever be admitted")
        self.limit = limit
        self.limitPerHost = limitPerHost
    }

    package var waitingCount: Int { waiting.count }

    package mutating func enqueue(_ id: ID, host name: String) {
        waiting[id] = name
        hosts[name, default: Host()].queue.append(id)
        giveTurn(name)
    }

    /// Takes one out that waits.
    ///
    /// - Returns: whether it did wait.
    package mutating func leave(_ id: ID) -> Bool { waiting.removeValue(forKey: id) != nil }

    /// One of a host that was admitted has ended.
    package mutating func end(host name: String) {
        precondition(hosts[name]?.inFlight ?? 0 > 0, "more transfers end than were admitted")
        inFlight -= 1
        hosts[name]?.inFlight -= 1
        giveTurn(name)
        if let host = hosts[name], host.inFlight == 0, host.queue.isEmpty, !host.hasTurn {
            hosts[name] = nil
        }
    }

    /// Admits the next, if there is one and there is room.
    package mutating func next() -> ID? {
        while inFlight < limit, let name = turns.popFirst() {
            hosts[name]?.hasTurn = false
            guard let id = popWaiting(name) else {
                if hosts[name]?.inFlight == 0 { hosts[name] = nil }
                continue
            }
            inFlight += 1
            hosts[name]?.inFlight += 1
            giveTurn(name)
            return id
        }
        return nil
    }

    private mutating func popWaiting(_ name: String) -> ID? {
        while let id = hosts[name]?.queue.popFirst() {
            if waiting.removeValue(forKey: id) != nil { return id }
        }
        return nil
    }

    private mutating func giveTurn(_ name: String) {
        guard let host = hosts[name], !host.hasTurn, !host.queue.isEmpty,
            host.inFlight < limitPerHost
        else { return }
        hosts[name]?.hasTurn = true
        turns.append(name)
    }
}
