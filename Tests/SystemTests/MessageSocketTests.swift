import Foundation
import System
import TestSupport
import Testing

@Suite("Messages between processes")
struct MessageSocketTests {
    @Test("Messages of every size come back as they were", arguments: [0, 1, 4, 65_537, 5_000_000])
    func sizes(count: Int) throws {
        let child = try startProbe("echo")
        let message = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        for _ in 0..<2 {
            try child.socket.send(message)
            #expect(try child.socket.receive(within: .seconds(20)) == .message(message))
        }
        child.socket.close()
        #expect(child.wait().cause == .status(0))
    }

    @Test("What comes too late is taken by the next call, also in the middle of a message")
    func late() throws {
        let child = try startProbe("slow")
        var lateCalls = 0
        while true {
            let received = try child.socket.receive(within: .milliseconds(20))
            guard received == .late else {
                #expect(received == .message([65, 66]))
                break
            }
            lateCalls += 1
        }
        // Six bytes, 100 ms between them.
        #expect(lateCalls > 6)
        #expect(try child.socket.receive(within: .seconds(5)) == .closed)
    }

    @Test("Waiting for a message takes no processor time, and ends when it is to")
    func patience() throws {
        let child = try startProbe("deaf")
        let before = ProcessFacts.threadTime()
        let start = ContinuousClock.now
        #expect(try child.socket.receive(within: .milliseconds(300)) == .late)
        let took = ContinuousClock.now - start
        #expect(took >= .milliseconds(300) && took < .seconds(5))
        #expect(ProcessFacts.threadTime() - before < .milliseconds(50))
        #expect(try child.socket.receive(within: .zero) == .late)
    }

    @Test("A child that ends in the middle of a message has closed")
    func half() throws {
        let child = try startProbe("half")
        #expect(try child.socket.receive(within: .seconds(20)) == .closed)
        #expect(try child.socket.receive(within: .seconds(20)) == .closed)
    }

    @Test("An announcement beyond the longest message is refused before room is made for it")
    func tooLong() throws {
        let child = try startProbe("endless")
        let error = #expect(throws: SystemError.self) {
            try child.socket.receive(within: .seconds(20))
        }
        #expect(error?.code == .tooLarge)
        #expect(error?.subject == "process \(child.identifier)")
        #expect(throws: SystemError.self) { try child.socket.receive(within: .seconds(1)) }
    }

    @Test("Sending to a child that has ended is an error, not the end of this process")
    func brokenPipe() async {
        await #expect(processExitsWith: .exitCode(0)) {
            signal(SIGPIPE, SIG_DFL)
            let child = try startProbe("deaf")
            child.kill()
            _ = child.wait()
            do throws(SystemError) {
                try child.socket.send([1, 2, 3])
                exit(1)
            } catch {
                exit(error.code == .brokenPipe ? 0 : 2)
            }
        }
    }

    @Test("A child that does not read holds a sender back only so long, and is then cut off")
    func deaf() throws {
        let child = try startProbe("deaf")
        let message = [UInt8](repeating: 7, count: 2_000_000)
        let error = #expect(throws: SystemError.self) {
            try child.socket.send(message, within: .milliseconds(200))
        }
        #expect(error?.code == .late)
        #expect(try child.socket.receive(within: .seconds(1)) == .closed)
    }

    @Test("One thread sends while another receives")
    func bothWays() throws {
        let child = try startProbe("echo")
        let sent = (0..<40).map { [UInt8](repeating: UInt8($0), count: $0 * 1000) }
        // Not a task: those wait for the other tests. What is not sent is missed below.
        let threads = BlockingThreads(name: "sender", count: 1)
        threads.submit { for message in sent { try? child.socket.send(message) } }
        for message in sent {
            let received = try child.socket.receive(within: .seconds(60))
            try #require(received == .message(message))
        }
        threads.shutDown()
    }

    @Test("A descriptor that is no socket is refused")
    func noSocket() {
        let error = #expect(throws: SystemError.self) { try MessageSocket(descriptor: 0) }
        #expect(error?.message.contains("not a socket") == true)
        #expect(throws: SystemError.self) { try MessageSocket(descriptor: 9999) }
    }
}

extension ProcessFacts {
    /// What the calling thread has used of a processor.
    static func threadTime() -> Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}
