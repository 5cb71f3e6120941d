import Testing
import Transfer

@Suite("The pauses of hosts")
struct HostPausesTests {
    private let start = ContinuousClock.now
    private var pauses = HostPauses(first: .seconds(1), longest: .seconds(60))

    private func at(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

    /// An answer at a time to what was asked a moment before.
    private mutating func hear(
        _ answer: HostPauses.Answer,
        at now: Double,
        asked: Double? = nil
    ) -> HostPauses.Change {
        pauses.heard(answer, from: "a", askedAt: at(asked ?? now - 0.1), now: at(now))
    }

    @Test("A host that is busy is paused at once, for as long as it asks")
    mutating func busy() {
        let change = hear(.busy(.seconds(7)), at: 1)
        #expect(change == .pause)
        #expect(pauses.nextEnd == at(8))
        let early = pauses.ended(now: at(7.9))
        let ended = pauses.ended(now: at(8))
        #expect(early.isEmpty && ended == ["a"])
        #expect(pauses.nextEnd == nil)
        let served = hear(.serving, at: 8.5)
        let again = hear(.serving, at: 9)
        #expect(served == .open && again == .none)
    }

    @Test("One failure is the object's, three in a row are the host's")
    mutating func failing() {
        let changes = [
            hear(.failing, at: 1), hear(.failing, at: 1), hear(.serving, at: 1.1),
            hear(.failing, at: 1.2), hear(.failing, at: 1.3), hear(.failing, at: 2),
        ]
        #expect(changes == [.none, .none, .none, .none, .none, .pause])
        #expect(pauses.nextEnd == at(3))
    }

    @Test("What was asked before the pause says nothing new, but may ask for a longer one")
    mutating func siblings() {
        let changes = [
            hear(.busy(nil), at: 1), hear(.busy(nil), at: 1.1, asked: 0.9),
            hear(.failing, at: 1.1, asked: 0.9), hear(.serving, at: 1.1, asked: 0.9),
        ]
        #expect(changes == [.pause, .none, .none, .none])
        #expect(pauses.nextEnd == at(2))
        _ = hear(.busy(.seconds(5)), at: 1.2, asked: 0.9)
        let early = pauses.ended(now: at(6.1))
        let ended = pauses.ended(now: at(6.2))
        #expect(early.isEmpty && ended == ["a"])
    }

    @Test("Pauses in a row double, and end")
    mutating func backOff() {
        var now = 1.0
        var lengths: [Double] = []
        while hear(.failing, at: now) != .close {
            guard let end = pauses.nextEnd else { continue }
            lengths.append(at(now).duration(to: end) / .seconds(1))
            now += lengths.last ?? 0
            _ = pauses.ended(now: at(now))
            now += 1
        }
        #expect(lengths == [1, 2, 4, 8, 16, 32])
        #expect(pauses.isClosed("a") && !pauses.isClosed("b"))
        #expect(pauses.nextEnd == nil)
        let late = hear(.serving, at: 1000)
        #expect(late == .none)
    }

    @Test("Who asks for more than the longest pause is left alone")
    mutating func day() {
        let change = hear(.busy(.seconds(86400)), at: 1)
        #expect(change == .close)
        #expect(pauses.isClosed("a"))
    }

    @Test("A host that has never answered is closed after three pauses; one that has is waited for")
    func stranger() {
        func pausesBeforeEnd(_ pauses: HostPauses) -> [Double] {
            var pauses = pauses
            var now = 1.0
            var lengths: [Double] = []
            while true {
                let change = pauses.heard(.silent, from: "a", askedAt: at(now - 0.1), now: at(now))
                if change == .close { return lengths }
                guard change == .pause, let end = pauses.nextEnd else { continue }
                lengths.append(at(now).duration(to: end) / .seconds(1))
                now += lengths.last ?? 0
                _ = pauses.ended(now: at(now))
                now += 1
            }
        }
        #expect(pausesBeforeEnd(pauses) == [1, 2, 4])
        var known = HostPauses(first: .seconds(1), longest: .seconds(60))
        _ = known.heard(.serving, from: "a", askedAt: at(0), now: at(0.1))
        #expect(pausesBeforeEnd(known) == [1, 2, 4, 8, 16, 32])
    }

    @Test("A host is silent from its pause to its next answer, and a busy one is not")
    mutating func silence() {
        for time in [1, 1.1, 1.2] { _ = hear(.silent, at: time) }
        var states = [[pauses.isSilent("a"), pauses.isPaused("a")]]
        _ = pauses.ended(now: at(3))
        states.append([pauses.isSilent("a"), pauses.isPaused("a")])
        _ = hear(.serving, at: 4)
        states.append([pauses.isSilent("a"), pauses.isPaused("a")])
        _ = hear(.busy(.seconds(5)), at: 5)
        states.append([pauses.isSilent("a"), pauses.isPaused("a")])
        #expect(states == [[true, true], [true, false], [false, false], [false, true]])
    }

    @Test("Three certificates in a row that are not trusted close the host")
    mutating func untrusted() {
        let changes = [
            hear(.untrusted, at: 1), hear(.untrusted, at: 2), hear(.serving, at: 3),
            hear(.untrusted, at: 4), hear(.untrusted, at: 5), hear(.untrusted, at: 6),
        ]
        #expect(changes == [.none, .none, .none, .none, .none, .close])
        #expect(pauses.isClosed("a"))
    }
}
