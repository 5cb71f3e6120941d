/// Which source is taken up next: the hosts take turns.
///
/// Of a host first those come that only wait for a rendering, then those that no run has reached,
/// then as they were asked last. Of each host only so many are in flight, so that one that is slow, or wants to be left alone,
/// holds up no other. Memory is that of a window, however many hosts there are.
struct SourceFeed {
    enum Next {
        case source(SourceRow)
        /// What is left belongs to hosts that have enough in flight.
        case wait
        case end
    }

    private struct Lane {
        let host: String
        var rows: ArraySlice<SourceRow>
        /// The last row that was read.
        var last: SourcePlace
        var isRead: Bool
        var inFlight = 0

        var isEmpty: Bool { rows.isEmpty && isRead }
    }

    private static let page = 32

    private let state: StateQueue
    private let listing: Int
    private let run: Int
    private let ofOneHost: Int
    private let hosts: Int
    private let leaving: @Sendable ([SourceRow]) async throws -> [SourceRow]
    private var lanes: [Lane] = []
    private var turn = 0
    /// The host that was opened last; those whose names follow have not had a turn yet.
    private var lastHost: String?
    private var areHostsRead = false

    /// - Parameters:
    ///   - state: where the sources are.
    ///   - listing: which of them are wanted.
    ///   - run: the one that takes them up.
    ///   - ofOneHost: how many of a host may be in flight.
    ///   - hosts: of how many hosts at a time sources are taken.
    ///   - leaving: given what was read, leaves what has to be taken up.
    init(
        _ state: StateQueue,
        listing: Int,
        run: Int,
        ofOneHost: Int,
        hosts: Int,
        leaving: @escaping @Sendable ([SourceRow]) async throws -> [SourceRow]
    ) {
        precondition(ofOneHost > 0 && hosts > 0, "nothing would ever be taken up")
        self.state = state
        self.listing = listing
        self.run = run
        self.ofOneHost = ofOneHost
        self.hosts = hosts
        self.leaving = leaving
    }

    mutating func next() async throws -> Next {
        while true {
            removeDoneLanes()
            try await openLane()
            for step in 0..<lanes.count {
                let index = (turn + step) % lanes.count
                guard lanes[index].inFlight < ofOneHost, try await fill(index) else { continue }
                lanes[index].inFlight += 1
                turn = index + 1
                guard let row = lanes[index].rows.popFirst() else {
                    preconditionFailure("a lane that was filled has a row")
                }
                return .source(row)
            }
            if lanes.contains(where: { $0.inFlight > 0 }) { return .wait }
            if lanes.isEmpty { return .end }
        }
    }

    /// Takes note that a source is done with.
    mutating func ended(_ host: String) {
        guard let index = lanes.firstIndex(where: { $0.host == host }) else {
            preconditionFailure("a host with sources in flight has a lane")
        }
        lanes[index].inFlight -= 1
    }

    private mutating func removeDoneLanes() {
        for index in lanes.indices.reversed()
        where lanes[index].isEmpty && lanes[index].inFlight == 0 {
            lanes.remove(at: index)
            if turn > index { turn -= 1 }
        }
    }

    /// Has the next host take part; its turn is the next.
    private mutating func openLane() async throws {
        guard !areHostsRead, lanes.count < hosts else { return }
        let (listing, run, host) = (listing, run, lastHost)
        let next = try await state.run {
            try $0.sources(ofHostAfter: host, listing: listing, run: run, limit: Self.page)
        }
        guard let (host, rows) = next else {
            areHostsRead = true
            return
        }
        lastHost = host
        turn = lanes.count
        lanes.append(
            Lane(
                host: host,
                rows: try await leaving(rows)[...],
                last: rows.last?.place ?? .first,
                isRead: rows.count < Self.page
            )
        )
    }

    /// Whether the lane has a row.
    private mutating func fill(_ index: Int) async throws -> Bool {
        while lanes[index].rows.isEmpty && !lanes[index].isRead {
            let (listing, run, lane) = (listing, run, lanes[index])
            let rows = try await state.run {
                try $0.sources(
                    host: lane.host,
                    listing: listing,
                    after: lane.last,
                    run: run,
                    limit: Self.page
                )
            }
            lanes[index].rows = try await leaving(rows)[...]
            lanes[index].isRead = rows.count < Self.page
            lanes[index].last = rows.last?.place ?? lane.last
        }
        return !lanes[index].rows.isEmpty
    }
}

extension SourceRow {
    fileprivate var place: SourcePlace { SourcePlace(turn: turn, id: id) }
}
