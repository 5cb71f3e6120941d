/// Who may start next: counts what is in flight, in all and to each host, and takes the hosts in
/// turn, so that one with a long queue does not hold the others up.
///
/// A host that nobody is connected with begins with one transfer, and few such hosts begin at once:
/// a thousand names must not be resolved in the same moment, nor one name eight times. It has no
/// clocks, locks or handles. Every call costs the same however many wait.
package final class Admission {
    package typealias ID = UInt64

    private let limit: Int
    private let limitPerHost: Int
    private let limitOfNewHosts: Int
    private var inFlight = 0
    private var newHosts = 0
    /// Those that have someone waiting or in flight.
    private var hosts: [String: Host] = [:]
    /// Hosts that are allowed less than the others.
    private var allowances: [String: Int] = [:]
    /// The hosts that have someone waiting and room for one more, in the order of their turns.
    private var turns = Queue<Host>()
    /// The same of hosts that nobody has reached yet.
    private var newTurns = Queue<Host>()
    /// The host of each one that waits.
    ///
    /// Who has left is skipped when their turn comes.
    private var waiting: [ID: Host] = [:]
    /// Hosts with as many in flight as there may be: one more that waits changes nothing.
    package private(set) var fullHosts: Set<String> = []

    /// An object, as each transfer changes it a dozen times: by name it is looked up when one comes and
    /// when one ends.
    private final class Host {
        let name: String
        var inFlight = 0
        var queue = Queue<ID>()
        var hasTurn = false
        var isReached = false

        init(_ name: String) { self.name = name }
    }

    package init(limit: Int, limitPerHost: Int, limitOfNewHosts: Int = 16) {
        precondition(limit > 0 && limitPerHost > 0, "nothing would ever be admitted")
        self.limit = limit
        self.limitPerHost = limitPerHost
        // Hosts that hang at their beginning leave the most to the others.
        self.limitOfNewHosts = max(1, min(limitOfNewHosts, limit / 4))
    }

    package var waitingCount: Int { waiting.count }

    package func enqueue(_ id: ID, host name: String) {
        let host = hosts[name] ?? add(name)
        waiting[id] = host
        host.queue.append(id)
        giveTurn(host)
    }

    private func add(_ name: String) -> Host {
        let host = Host(name)
        hosts[name] = host
        return host
    }

    /// Takes one out that waits.
    ///
    /// - Returns: whether it did wait.
    package func leave(_ id: ID) -> Bool { waiting.removeValue(forKey: id) != nil }

    /// Takes all out that wait for a host.
    package func leaveAll(host name: String) -> [ID] {
        guard let host = hosts[name] else { return [] }
        var left: [ID] = []
        while let id = popWaiting(host) { left.append(id) }
        return left
    }

    /// Allows a host so many at once, until it is told otherwise; `nil` for as many as any other.
    package func allow(_ count: Int?, host name: String) {
        allowances[name] = count
        if let host = hosts[name] { giveTurn(host) }
    }

    /// Whether one of a host is in flight, or waits.
    package func isBusy(host name: String) -> Bool {
        guard let host = hosts[name] else { return false }
        return host.inFlight > 0 || !host.queue.isEmpty
    }

    package func isReached(host name: String) -> Bool { hosts[name]?.isReached ?? false }

    /// The first of a host's has got through to it, or has failed to.
    package func reached(host name: String) {
        if let host = hosts[name] { reached(host) }
    }

    private func reached(_ host: Host) {
        guard !host.isReached, host.inFlight > 0 else { return }
        newHosts -= 1
        host.isReached = true
        giveTurn(host)
    }

    /// One of a host that was admitted has ended.
    package func end(host name: String) {
        guard let host = hosts[name], host.inFlight > 0 else {
            preconditionFailure("more transfers end than were admitted")
        }
        reached(host)
        inFlight -= 1
        host.inFlight -= 1
        fullHosts.remove(name)
        giveTurn(host)
        forgetIfIdle(host)
    }

    /// Admits the next, if there is one and there is room.
    package func next() -> ID? {
        while inFlight < limit, let host = popTurn() {
            host.hasTurn = false
            guard hasRoom(host) else { continue }
            guard let id = popWaiting(host) else {
                forgetIfIdle(host)
                continue
            }
            if !host.isReached { newHosts += 1 }
            inFlight += 1
            host.inFlight += 1
            if host.inFlight == limitPerHost { fullHosts.insert(host.name) }
            giveTurn(host)
            return id
        }
        return nil
    }

    private func popTurn() -> Host? {
        if newHosts < limitOfNewHosts, let host = newTurns.popFirst() { return host }
        return turns.popFirst()
    }

    private func popWaiting(_ host: Host) -> ID? {
        while let id = host.queue.popFirst() {
            if waiting.removeValue(forKey: id) != nil { return id }
        }
        return nil
    }

    private func hasRoom(_ host: Host) -> Bool {
        let allowed = allowances[host.name] ?? limitPerHost
        return host.inFlight < min(allowed, host.isReached ? limitPerHost : 1)
    }

    private func giveTurn(_ host: Host) {
        guard !host.hasTurn, !host.queue.isEmpty, hasRoom(host) else { return }
        host.hasTurn = true
        if host.isReached { turns.append(host) } else { newTurns.append(host) }
    }

    private func forgetIfIdle(_ host: Host) {
        guard host.inFlight == 0, host.queue.isEmpty, !host.hasTurn else { return }
        hosts[host.name] = nil
    }
}
