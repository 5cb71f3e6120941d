/// Which hosts want to be left alone, and for how long: one back-off for a whole host, not one for
/// a transfer while its siblings go on.
///
/// After a pause one transfer asks whether it is over. Pauses in a row grow, and a host that wants
/// a longer one than the longest is closed: a run must end. One that has never answered is closed
/// after a few. A value without clocks.
package struct HostPauses {
    /// What a transfer has learnt about its host.
    package enum Answer: Sendable, Hashable {
        /// It serves, whatever it says of the object.
        case serving
        /// It asks for a pause, maybe of a length.
        case busy(Duration?)
        /// It may be in trouble; one object's failure alone says little.
        case failing
        /// It does not answer.
        case silent
        /// It is not who it should be: its certificate is not trusted. No pause mends that.
        case untrusted
    }

    /// What changes for the host.
    package enum Change: Sendable, Hashable {
        case none
        case pause
        case open
        case close
    }

    private struct Host {
        /// Failing answers in a row.
        var failures = 0
        /// Certificates in a row that were not trusted.
        var refusals = 0
        /// Whether the last that was heard of it is that it does not answer.
        var isSilent = false
        /// Pauses in a row.
        var pauses = 0
        /// What was asked before the last pause says nothing new.
        var began: ContinuousClock.Instant?
        var end: ContinuousClock.Instant?
    }

    private let first: Duration
    private let longest: Duration
    /// Only those of which something bad was heard.
    private var hosts: [String: Host] = [:]
    private var closed: Set<String> = []
    /// Those that have answered, whatever it was.
    private var answering: Set<String> = []
    /// When to look for pauses that have ended.
    package private(set) var nextEnd: ContinuousClock.Instant?

    /// A failing host is paused after so many in a row.
    private static let failuresBeforePause = 3
    /// So many pauses are waited for a host that has never answered: most likely it is not there.
    private static let pausesOfStrangers = 3

    package init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }

    package func isClosed(_ host: String) -> Bool { closed.contains(host) }

    /// Whether a host is paused because it does not answer, or was and has not answered since.
    package func isSilent(_ host: String) -> Bool {
        hosts[host].map { $0.isSilent && $0.began != nil } ?? false
    }

    package func isPaused(_ host: String) -> Bool { hosts[host]?.end != nil }

    /// Takes an answer in to something that was asked at a time.
    package mutating func heard(
        _ answer: Answer,
        from name: String,
        askedAt asked: ContinuousClock.Instant,
        now: ContinuousClock.Instant
    ) -> Change {
        guard !closed.contains(name) else { return .none }
        var host = hosts[name] ?? Host()
        let isNews = host.began.map { asked > $0 } ?? true
        switch answer {
        case .serving, .failing, .busy: answering.insert(name)
        case .silent, .untrusted: break
        }
        switch answer {
        case .serving:
            guard host.end == nil, isNews else { return .none }
            return hosts.removeValue(forKey: name)?.began == nil ? .none : .open
        case .failing, .silent:
            guard isNews else { return .none }
            host.failures += 1
            host.isSilent = answer == .silent
            hosts[name] = host
            let isEnough = host.failures >= Self.failuresBeforePause || host.pauses > 0
            guard isEnough else { return .none }
            if host.pauses >= Self.pausesOfStrangers, !answering.contains(name) {
                return close(name)
            }
            return pause(name, host, nil, now)
        case .untrusted:
            host.refusals += 1
            hosts[name] = host
            return host.refusals >= Self.failuresBeforePause ? close(name) : .none
        case .busy(let wish):
            host.isSilent = false
            if isNews { return pause(name, host, wish, now) }
            guard let wish, let end = host.end else { return .none }
            guard wish <= longest else { return close(name) }
            hosts[name]?.end = max(end, now + wish)
            return .none
        }
    }

    private mutating func pause(
        _ name: String,
        _ host: Host,
        _ wish: Duration?,
        _ now: ContinuousClock.Instant
    ) -> Change {
        let length = max(wish ?? .zero, first * Double(1 << min(host.pauses, 20)))
        guard length <= longest else { return close(name) }
        let end = now + length
        hosts[name] = Host(
            isSilent: host.isSilent,
            pauses: host.pauses + 1,
            began: now,
            end: end
        )
        nextEnd = min(nextEnd ?? end, end)
        return .pause
    }

    private mutating func close(_ name: String) -> Change {
        hosts[name] = nil
        closed.insert(name)
        return .close
    }

    /// The hosts whose pause has ended: one transfer may ask.
    package mutating func ended(now: ContinuousClock.Instant) -> [String] {
        guard let nextEnd, nextEnd <= now else { return [] }
        let ended = hosts.filter { $0.value.end.map { $0 <= now } ?? false }.keys.sorted()
        for name in ended { hosts[name]?.end = nil }
        self.nextEnd = hosts.values.compactMap(\.end).min()
        return ended
    }
}
