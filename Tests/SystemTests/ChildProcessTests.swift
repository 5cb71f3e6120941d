import Foundation
import System
import TestSupport
import Testing

@Suite("Child processes")
struct ChildProcessTests {
    @Test("A child has its socket, the error stream, a group of its own, and nothing else")
    func surroundings() throws {
        // Not closed by exec.
        let leak = dup(1)
        defer { close(leak) }
        let child = try startProbe("facts", "two words", "")
        #expect(try child.text() == "0,1,2,3 own /dev/null,/dev/null two words,")
        #expect(child.wait().cause == .status(0))
    }

    @Test("How a child has ended is known, and stays known")
    func ends() throws {
        let exited = try startProbe("exit")
        #expect(exited.wait().cause == .status(3))
        #expect(exited.wait().description == "ended with status 3")
        #expect(!exited.wait().isCrash)
        let crashed = try startProbe("abort")
        #expect(crashed.wait().cause == .signal(SIGABRT))
        #expect(crashed.wait().description == "ended by SIGABRT")
        #expect(crashed.wait().isCrash)
        let killed = try startProbe("deaf")
        killed.kill()
        #expect(killed.wait().cause == .signal(SIGKILL))
        #expect(!killed.wait().isCrash)
        #expect(try killed.socket.receive(within: .seconds(1)) == .closed)
        killed.kill()
    }

    @Test("A child is killed while another thread waits for it")
    func killedWhileWaitedFor() async throws {
        let child = try startProbe("deaf")
        let threads = BlockingThreads(name: "waiter", count: 1)
        async let end = threads.run { child.wait() }
        try await Task.sleep(for: .milliseconds(50))
        child.kill()
        #expect(try await end.cause == .signal(SIGKILL))
        threads.shutDown()
    }

    @Test("A child is gone with the last reference to it")
    func dropped() throws {
        let number: Int32
        do {
            let child = try startProbe("deaf")
            number = child.identifier
            #expect(kill(number, 0) == 0)
        }
        #expect(kill(number, 0) == -1 && errno == ESRCH)
    }

    @Test("A program that is not there is an error that names it")
    func missing() {
        let error = #expect(throws: SystemError.self) {
            try ChildProcess(program: "/nowhere/program", arguments: [])
        }
        #expect(error?.code == .notFound)
        #expect(error?.subject == "/nowhere/program")
    }

    @Test("A child's memory is known while it lives, and its peak afterwards")
    func memory() throws {
        let child = try startProbe("grow", "300000000")
        #expect(try child.text() == "taken")
        let resident = try #require(child.residentBytes)
        #expect((300_000_000..<400_000_000).contains(resident))
        try child.socket.send([1])
        let end = child.wait()
        #expect(end.cause == .status(0))
        // Where this process was larger than that when the child started, the kernel does not say.
        #expect(end.peakResidentBytes.map { (300_000_000..<400_000_000).contains($0) } ?? true)
        if ProcessFacts.used().peakResidentBytes < 300_000_000 {
            #expect(end.peakResidentBytes != nil)
        }
        #expect(child.residentBytes == nil)
    }

    /// A sibling that kept another's end would keep it from reading `closed`.
    @Test("Children that are started at the same time do not hold one another's sockets")
    func siblings() async throws {
        let threads = BlockingThreads(name: "starter", count: 8)
        defer { threads.shutDown() }
        for _ in 0..<3 {
            let children = try await withThrowingTaskGroup(of: ChildProcess.self) { group in
                for _ in 0..<16 {
                    group.addTask { try await threads.run { try startProbe("echo") } }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for (index, child) in children.enumerated() where index.isMultiple(of: 2) {
                child.kill()
                try #require(try child.socket.receive(within: .seconds(5)) == .closed)
            }
            for (index, child) in children.enumerated() where !index.isMultiple(of: 2) {
                try child.socket.send([1])
                #expect(try child.socket.receive(within: .seconds(20)) == .message([1]))
            }
        }
    }

    @Test("Where the ends of children are ignored, they are known all the same")
    func ignoredEnds() async {
        await #expect(processExitsWith: .exitCode(0)) {
            signal(SIGCHLD, SIG_IGN)
            exit(try startProbe("exit").wait().cause == .status(3) ? 0 : 1)
        }
    }
}
