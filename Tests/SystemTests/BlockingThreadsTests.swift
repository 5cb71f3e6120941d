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

    @Test("A few parts of tasks wait for a busy thread; one more wakes another")
    func backlog() async throws {
        let threads = BlockingThreads(name: "test", count: 2)
        let held = Count()
        let mayEnd = DispatchSemaphore(value: 0)
        let hold: @Sendable () -> Void = {
            held.add()
            mayEnd.wait()
        }
        // Both threads run, and sleep a moment later; then one is held.
        for _ in 0..<2 { threads.submit(hold) }
        while held.value < 2 { try await Task.sleep(for: .milliseconds(1)) }
        for _ in 0..<2 { mayEnd.signal() }
        try await Task.sleep(for: .milliseconds(100))
        threads.submit(hold)
        while held.value < 3 { try await Task.sleep(for: .milliseconds(1)) }

        let done = Count()
        var parts = (0..<8).map { _ in Task(executorPreference: threads) { done.add() } }
        try await Task.sleep(for: .milliseconds(50))
        #expect(done.value == 0)
        parts.append(Task(executorPreference: threads) { done.add() })
        for part in parts { await part.value }
        mayEnd.signal()
        threads.shutDown()
    }

    @Test("What comes of shares is in the elements' order, also where the last share is short")
    func shares() async throws {
        let threads = BlockingThreads(name: "test", count: 3)
        for count in [1, 4, 100] {
            let found = try await threads.run(inSharesOf: count, Array(0..<10)) { share in
                share.flatMap { $0.isMultiple(of: 2) ? [$0, $0] : [] }
            }
            #expect(found == [0, 0, 2, 2, 4, 4, 6, 6, 8, 8])
        }
        threads.shutDown()
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

private final class Count: Sendable {
    private let number = Atomic<Int>(0)

    func add() { number.add(1, ordering: .relaxed) }

    var value: Int { number.load(ordering: .relaxed) }
}
