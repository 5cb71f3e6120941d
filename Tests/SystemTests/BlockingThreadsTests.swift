import Foundation
import Synchronization
import System
import Testing

@Suite("Threads for work that blocks")
struct BlockingThreadsTests {
    @Test("As many jobs run at once as there are threads, however many cores there are")
    func atOnce() async throws {
        let threads = BlockingThreads(name: "test", count: 6)
        let inFlight = Peak()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<24 {
                group.addTask {
                    try await threads.run {
                        inFlight.enter()
                        Thread.sleep(forTimeInterval: 0.02)
                        inFlight.leave()
                    }
                }
            }
            try await group.waitForAll()
        }
        threads.shutDown()
        #expect(inFlight.peak == 6)
    }

    @Test("Values and errors come back")
    func results() async throws {
        let threads = BlockingThreads(name: "test", count: 1)
        #expect(try await threads.run { 6 * 7 } == 42)
        await #expect(throws: SystemError.self) {
            try await threads.run { try FileStatus(of: "/none/such") }
        }
        threads.shutDown()
    }

    @Test("Shutting down does what was asked for, and tells every thread's exit")
    func shutDown() async throws {
        let done = Atomic<Int>(0)
        let exits = Atomic<Int>(0)
        let threads = BlockingThreads(name: "test", count: 3) {
            exits.add(1, ordering: .relaxed)
        }
        for _ in 0..<50 {
            threads.submit {
                Thread.sleep(forTimeInterval: 0.001)
                done.add(1, ordering: .relaxed)
            }
        }
        threads.shutDown()
        #expect(done.load(ordering: .relaxed) == 50)
        #expect(exits.load(ordering: .relaxed) == 3)
    }

    @Test("A task that prefers the threads runs on them")
    func executor() async throws {
        let threads = BlockingThreads(name: "preferred", count: 2)
        let name = await Task(executorPreference: threads) {
            (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? ""
        }.value
        #expect(name.hasPrefix("preferred-"))
        threads.shutDown()
    }
}

private final class Peak: Sendable {
    private let state = Mutex((now: 0, peak: 0))

    func enter() {
        state.withLock {
            $0.now += 1
            $0.peak = max($0.peak, $0.now)
        }
    }

    func leave() { state.withLock { $0.now -= 1 } }

    var peak: Int { state.withLock { $0.peak } }
}
