import Foundation
import System
import TestSupport
import Testing

@Suite("Children and their parents")
struct ParentDeathTests {
    /// Whether a process runs: one that has ended may be there for whoever is to wait for it.
    private func isRunning(_ number: Int32) -> Bool {
        guard let line = try? FileReader.contents(of: "/proc/\(number)/stat", limit: 4096)
        else { return false }
        let text = String(decoding: line, as: UTF8.self)
        return !text.contains(") Z ") && !text.contains(") X ")
    }

    @Test("A child that is bound to its parent dies with it")
    func parentKilled() async throws {
        let parent = try startProbe("family")
        let number = try #require(Int32(parent.text()))
        #expect(isRunning(number))
        // The parent alone: `kill()` would reach those of its group, too, if the child were in it.
        kill(parent.identifier, SIGKILL)
        _ = parent.wait()
        let start = ContinuousClock.now
        while isRunning(number), ContinuousClock.now - start < .seconds(10) {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(!isRunning(number))
    }

    @Test("It outlives the thread that has asked for it")
    func threadEnded() async throws {
        let threads = BlockingThreads(name: "short", count: 1)
        let child = try await threads.run { try startProbe("bound") }
        #expect(try Int32(child.text()) == child.identifier)
        threads.shutDown()
        try await Task.sleep(for: .milliseconds(200))
        #expect(isRunning(child.identifier))
    }

    @Test("A child whose parent is another than it takes it for is told so")
    func otherParent() throws {
        #expect(try startProbe("bound-to-another").wait().cause == .status(4))
    }

    @Test(
        "Signals that ask to stop are the parent's affair, from the first moment on",
        arguments: [SIGINT, SIGTERM, SIGHUP]
    )
    func stops(signal: Int32) throws {
        let child = try startProbe("stops")
        // Before it has said anything, most of the time.
        #expect(kill(child.identifier, signal) == 0)
        for _ in 0..<2 {
            try child.socket.send([1])
            #expect(try child.socket.receive(within: .seconds(20)) == .message([1]))
            #expect(kill(child.identifier, signal) == 0)
        }
        child.socket.close()
        #expect(child.wait().cause == .status(0))
    }
}
