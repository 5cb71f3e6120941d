/// The tries of one original over the hosts of its origin: says after each failure what is next.
///
/// A value without clocks and randomness.
package struct RetrySchedule {
    package enum Step: Hashable {
        case giveUp
        /// The host has asked for a longer wait than the policy grants.
        case leaveForNextRun
        case again(host: Int, wait: Duration)
    }

    private let policy: RetryPolicy
    private let hosts: Int
    /// Which of the hosts is being asked.
    package private(set) var host = 0
    /// Hosts that were left for the next one; they cost no try of the policy's.
    private var moves = 0
    /// Tries that ended with a connection of others; a few cost none of the policy's either.
    private var accidents = 0
    private var failures = 0
    /// Hosts that are left alone until the next run.
    private var leftAlone: Set<Int> = []
    /// Whether a host has given what it should not, which asking it again does not mend.
    private var isLookingElsewhere = false

    /// A host that breaks more connections than this breaks them for everyone.
    private static let freeAccidents = 3

    package init(_ policy: RetryPolicy, hosts: Int) {
        precondition(hosts > 0, "there is nobody to ask")
        self.policy = policy
        self.hosts = hosts
    }

    /// Whether there is a host that nobody has asked yet.
    package var hasAnotherHost: Bool { moves + 1 < hosts }

    /// How often was asked, with the one that is under way.
    package var attempts: Int { failures + moves + accidents + 1 }

    /// Decides after a failure.
    package mutating func next(after error: FetchError, fraction: Double) -> Step {
        // Every other host is asked once whether it has the right bytes, and then it is enough.
        isLookingElsewhere = isLookingElsewhere || error.isOfOneHost
        if isLookingElsewhere {
            guard hasAnotherHost, !error.stopsTheRun, error.code != .cancelled else {
                return .giveUp
            }
            moves += 1
            host = moves
            return .again(host: host, wait: .zero)
        }
        guard error.isTransient, !error.stopsTheRun else { return .giveUp }
        if let wait = error.retryAfter, wait > policy.longestRetryAfter { return .leaveForNextRun }
        if error.wasOnSharedConnection, accidents < Self.freeAccidents {
            accidents += 1
            let wait = policy.wait(failures: failures + accidents, fraction: fraction)
            return .again(host: host, wait: wait)
        }
        // A host that nobody has asked yet is asked at once.
        if error.hostDidNotAnswer, hasAnotherHost {
            moves += 1
            host = moves
            return .again(host: host, wait: .zero)
        }
        if error.code == .hostLeftAlone {
            leftAlone.insert(host)
            guard let next = nextHost else { return .giveUp }
            host = next
            return .again(host: host, wait: .zero)
        }
        failures += 1
        guard failures < policy.attempts else { return .giveUp }
        if error.hostDidNotAnswer, let next = nextHost { host = next }
        let wait = policy.wait(failures: failures + accidents, fraction: fraction)
        return .again(host: host, wait: max(wait, error.retryAfter ?? .zero))
    }

    /// The next that is not left alone until the next run; the same where it is the only one.
    private var nextHost: Int? {
        (1...hosts).map { (host + $0) % hosts }.first { !leftAlone.contains($0) }
    }
}
