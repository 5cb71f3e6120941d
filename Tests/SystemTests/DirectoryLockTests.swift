import Foundation
import System
import TestSupport
import Testing

@Suite("The lock of a folder")
struct DirectoryLockTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func failure() -> SystemError? {
        do {
            _ = try DirectoryLock(of: scratch.path)
            return nil
        } catch {
            return error
        }
    }

    @Test("The second fails at once and says who has it; after the first has ended it does not")
    func second() throws {
        do {
            let lock = try DirectoryLock(of: scratch.path)
            let error = try #require(failure())
            #expect(error.code == .locked)
            #expect(error.subject == scratch.path)
            #expect(error.message.contains("process \(ProcessFacts.identifier) on "))
            #expect(error.message.contains("since 20"))
            withExtendedLifetime(lock) {}
        }
        #expect(failure() == nil)
    }

    @Test("What a dead process has left behind does not count")
    func stale() throws {
        try scratch.write("process 1 on nowhere, since 1970-01-01T00:00:00Z\nmore\n", to: "lock")
        let lock = try DirectoryLock(of: scratch.path)
        let text = try scratch.read("lock")
        #expect(text.hasPrefix("process \(ProcessFacts.identifier) on "))
        #expect(text.hasSuffix("Z\n"))
        _ = consume lock
        #expect(try scratch.read("lock") == "")
    }

    @Test("Another process holds it against this one, until it dies")
    func otherProcess() throws {
        let other = try StartedProgram(
            "/usr/bin/flock",
            ["--no-fork", scratch.path + "/lock", "sh", "-c", "echo held; exec sleep 60"],
            output: .pipe
        )
        #expect(other.output?.availableData == Data("held\n".utf8))
        #expect(failure()?.code == .locked)
        #expect(failure()?.message.contains("another process") == true)
        other.signal(SIGKILL)
        other.waitForEnd()
        #expect(failure() == nil)
    }
}
