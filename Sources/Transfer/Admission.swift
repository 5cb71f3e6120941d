/// Who may start next: counts what is in flight, in all and to each host, and takes the hosts in
/// turn, so that one with a long queue does not hold the others up.
///
/// A host that nobody is connected with begins with one transfer, and few such hosts begin at once:
/// a thousand names must not be resolved in the same moment, nor one name eight times. A value
/// without clocks, locks or handles. Every call costs the same however many wait.
package struct Admission {
    package typealias ID = UInt64

    private let limit: Int
    private let limitPerHost: Int
    private let limitOfNewHosts: Int
    private var inFlight = 0
    private var newHosts = 0
    private var hosts: [String: Host] = [:]
    /// Hosts that are allowed less than the others.
    private var allowances: [String: Int] = [:]
    /// The hosts that have someone waiting and room for one more, in the order of their turns.
    private var turns = Queue<String>()
    /// The same of hosts that nobody has reached yet.
    private var newTurns = Queue<String>()
    /// The host of each one that waits.
    ///
    /// Who has left is skipped when their turn comes.
    private var waiting: [ID: String] = [:]
    /// Hosts with as many in flight as there may be: one more that waits changes nothing.
    package private(set) var fullHosts: Set<String> = []

    private struct Host {
        var inFlight = 0
        var queue = Queue<ID>()
        var hasTurn = false
        var isReached = false
    }

    package init(limit: Int, limitPerHost: Int, limitOfNewHosts: Int = 16) {
        precondition(limit > 0 && limitPerHost > 0, "nothing would ever be admitted")
        self.limit = limit
        self.limitPerHost = limitPerHost
        // Hosts that hang at their beginning leave the most to the others.
        self.limitOfNewHosts = max(1, min(limitOfNewHosts, limit / 4))
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

    /// Takes all out that wait for a host.
    package mutating func leaveAll(host name: String) -> [ID] {
        var left: [ID] = []
        while let id = popWaiting(name) { left.append(id) }
        return left
    }

    /// Allows a host so many at once, until it is told otherwise; `nil` for as many as any other.
    package mutating func allow(_ count: Int?, host name: String) {
        allowances[name] = count
        giveTurn(name)
    }

    /// Whether one of a host is in flight, or waits.
    package func isBusy(host name: String) -> Bool {
        guard let host = hosts[name] else { return false }
        return host.inFlight > 0 || !host.queue.isEmpty
    }

    package func isReached(host name: String) -> Bool { hosts[name]?.isReached ?? false }

    /// The first of a host's has got through to it, or has failed to.
    package mutating func reached(host name: String) {
        guard let host = hosts[name], !host.isReached, host.inFlight > 0 else { return }
        newHosts -= 1
        hosts[name]?.isReached = true
        giveTurn(name)
    }

    /// One of a host that was admitted has ended.
    package mutating func end(host name: String) {
        precondition(hosts[name]?.inFlight ?? 0 > 0, "more transfers end than were admitted")
        reached(host: name)
        inFlight -= 1
        hosts[name]?.inFlight -= 1
        fullHosts.remove(name)
        giveTurn(name)
        forgetIfIdle(name)
    }

    /// Admits the next, if there is one and there is room.
    package mutating func next() -> ID? {
        while inFlight < limit, let name = popTurn() {
            hosts[name]?.hasTurn = false
            guard hasRoom(name) else { continue }
            guard let id = popWaiting(name) else {
                forgetIfIdle(name)
                continue
            }
            if !isReached(host: name) { newHosts += 1 }
            inFlight += 1
            hosts[name]?.inFlight += 1
            if hosts[name]?.inFlight == limitPerHost { fullHosts.insert(name) }
            giveTurn(name)
            return id
        }
        return nil
    }

    private mutating func popTurn() -> String? {
        if newHosts < limitOfNewHosts, let name = newTurns.popFirst() { return name }
        return turns.popFirst()
    }

    private mutating func popWaiting(_ name: String) -> ID? {
        while let id = hosts[name]?.queue.popFirst() {
            if waiting.removeValue(forKey: id) != nil { return id }
        }
        return nil
    }

    private func hasRoom(_ name: String) -> Bool {
        guard let host = hosts[name] else { return false }
        let allowed = allowances[name] ?? limitPerHost
        return host.inFlight < min(allowed, host.isReached ? limitPerHost : 1)
    }

    private mutating func giveTurn(_ name: String) {
        guard let host = hosts[name], !host.hasTurn, !host.queue.isEmpty, hasRoom(name) else {
            return
        }
        hosts[name]?.hasTurn = true
        if host.isReached { turns.append(name) } else { newTurns.append(name) }
    }

    private mutating func forgetIfIdle(_ name: String) {
        guard let host = hosts[name], host.inFlight == 0, host.queue.isEmpty, !host.hasTurn else {
            return
        }
        hosts[name] = nil
    }
}
