import Foundation
import Testing
import Transfer

@Suite("Admission")
struct AdmissionTests {
    /// GEARBOX_SEED runs one order again, GEARBOX_SOAK runs many.
    private static let seeds: [UInt64] = {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["GEARBOX_SEED"].flatMap({ UInt64($0) }) { return [seed] }
        return Array(0..<(environment["GEARBOX_SOAK"] == "1" ? 2000 : 20))
    }()

    /// Admits all that may start, to hosts that answer at once.
    private func drain(_ admission: Admission, reaching hosts: [String]) -> [UInt64] {
        var admitted: [UInt64] = []
        while let id = admission.next() {
            admitted.append(id)
            for host in hosts { admission.reached(host: host) }
        }
        return admitted
    }

    @Test("No more than the limit in all, and no more than the host's limit to a host")
    func limits() {
        let admission = Admission(limit: 5, limitPerHost: 2)
        for id in 0..<10 { admission.enqueue(UInt64(id), host: id < 6 ? "a" : "b") }
        let hosts = ["a", "b", "c"]
        #expect(Set(drain(admission, reaching: hosts)) == [0, 6, 1, 7])
        admission.enqueue(20, host: "c")
        admission.enqueue(21, host: "c")
        #expect(drain(admission, reaching: hosts) == [20])
        admission.end(host: "a")
        #expect(drain(admission, reaching: hosts).count == 1)
        #expect(admission.waitingCount == 6)
    }

    @Test("Hosts take turns, so a long queue does not hold a short one up")
    func turns() {
        let admission = Admission(limit: 1, limitPerHost: 1)
        for id in 0..<1000 { admission.enqueue(UInt64(id), host: "long") }
        admission.enqueue(5000, host: "short")
        let first = admission.next()
        admission.end(host: "long")
        let second = admission.next()
        #expect([first, second] == [0, 5000])
    }

    @Test("Who leaves the queue is skipped, and cannot leave twice")
    func leave() {
        let admission = Admission(limit: 10, limitPerHost: 10)
        for id: UInt64 in 0..<4 { admission.enqueue(id, host: "a") }
        let left = [0, 2, 2].map { admission.leave($0) }
        #expect(left == [true, true, false])
        #expect(drain(admission, reaching: ["a"]) == [1, 3])
        let tooLate = admission.leave(1)
        #expect(!tooLate)
        for _ in 0..<2 { admission.end(host: "a") }
        #expect(admission.waitingCount == 0)
    }

    @Test("A host begins with one, and few hosts begin at once")
    func newHosts() {
        let admission = Admission(limit: 100, limitPerHost: 8, limitOfNewHosts: 3)
        for id in 0..<50 { admission.enqueue(UInt64(id), host: "host \(id % 10)") }
        #expect(drain(admission, reaching: []) == [0, 1, 2])
        admission.reached(host: "host 1")
        admission.reached(host: "host 1")
        // The rest of the host that is reached, and one more that is new.
        #expect(Set(drain(admission, reaching: [])) == [3, 11, 21, 31, 41])
        #expect(admission.isReached(host: "host 1") && !admission.isReached(host: "host 2"))
        // One that ends has been reached, or there is nothing to wait for.
        admission.end(host: "host 2")
        #expect(Set(drain(admission, reaching: [])) == [4, 12, 22, 32, 42])
    }

    @Test("New hosts that hang leave three quarters of all to the others")
    func hangingHosts() {
        let admission = Admission(limit: 8, limitPerHost: 8)
        for id in 0..<20 { admission.enqueue(UInt64(id), host: "dead \(id)") }
        for id in 20..<40 { admission.enqueue(UInt64(id), host: "alive") }
        #expect(drain(admission, reaching: []) == [0, 1])
        admission.end(host: "dead 0")
        admission.end(host: "dead 1")
        #expect(drain(admission, reaching: []) == [2, 3])
        for id in 2..<20 {
            admission.end(host: "dead \(id)")
            _ = drain(admission, reaching: ["alive"])
        }
        #expect(admission.waitingCount == 12)
    }

    @Test("A host that is allowed nothing waits, and nobody waits for it")
    func allowances() {
        let admission = Admission(limit: 9, limitPerHost: 4)
        for id in 0..<10 { admission.enqueue(UInt64(id), host: id < 6 ? "a" : "b") }
        admission.allow(0, host: "a")
        let hosts = ["a", "b"]
        #expect(drain(admission, reaching: hosts) == [6, 7, 8, 9])
        admission.allow(1, host: "a")
        #expect(drain(admission, reaching: hosts) == [0])
        admission.end(host: "a")
        #expect(drain(admission, reaching: hosts) == [1])
        admission.allow(nil, host: "a")
        #expect(drain(admission, reaching: hosts) == [2, 3, 4])
        #expect(admission.fullHosts == ["a", "b"])
        #expect(admission.leaveAll(host: "a") == [5])
        #expect(admission.waitingCount == 0)
    }

    @Test("Everyone is admitted once and no limit is passed, whatever the order", arguments: seeds)
    func property(seed: UInt64) {
        var random = Seeded(seed)
        let limit = Int.random(in: 1...8, using: &random)
        let perHost = Int.random(in: 1...4, using: &random)
        let admission = Admission(limit: limit, limitPerHost: perHost)
        var (waiting, inFlight) = (Set<UInt64>(), [(id: UInt64, host: String)]())
        var hosts: [UInt64: String] = [:]
        var (next, done): (UInt64, Set<UInt64>) = (0, [])
        for _ in 0..<2000 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                let host = "host \(Int.random(in: 0..<5, using: &random))"
                admission.enqueue(next, host: host)
                (hosts[next], next) = (host, next + 1)
                waiting.insert(next - 1)
            case 2:
                if let id = waiting.randomElement(using: &random) {
                    let didWait = admission.leave(id)
                    #expect(didWait, "seed \(seed)")
                    waiting.remove(id)
                }
            default:
                if !inFlight.isEmpty {
                    let index = Int.random(in: 0..<inFlight.count, using: &random)
                    admission.end(host: inFlight.remove(at: index).host)
                }
            }
            while let id = admission.next() {
                admission.reached(host: hosts[id] ?? "")
                #expect(waiting.remove(id) != nil, "seed \(seed)")
                #expect(done.insert(id).inserted, "seed \(seed)")
                inFlight.append((id, hosts[id] ?? ""))
            }
            let counts = Dictionary(grouping: inFlight, by: \.host).mapValues(\.count)
            #expect(inFlight.count <= limit, "seed \(seed)")
            #expect(counts.values.allSatisfy { $0 <= perHost }, "seed \(seed)")
            // Nobody waits who could go: there is no room in all, or none at their host.
            let idle = waiting.filter { counts[hosts[$0] ?? "", default: 0] < perHost }
            #expect(inFlight.count == limit || idle.isEmpty, "seed \(seed)")
        }
    }
}

/// SplitMix64.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
