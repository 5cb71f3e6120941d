import Foundation
import System
import Testing

@Suite("Signals")
struct InterruptionTests {
    @Test("The first signal is a request, told to who asked")
    func first() async {
        await #expect(processExitsWith: .exitCode(7)) {
            Interruption.install()
            precondition(!Interruption.isRequested)
            Interruption.onRequest {
                precondition(Interruption.isRequested)
                exit(7)
            }
            kill(getpid(), SIGTERM)
            try await Task.sleep(for: .seconds(10))
        }
    }

    @Test("Who asks late is told at once")
    func late() async {
        await #expect(processExitsWith: .exitCode(8)) {
            Interruption.install()
            kill(getpid(), SIGINT)
            try await Task.sleep(for: .seconds(0.2))
            Interruption.onRequest { exit(8) }
        }
    }

    @Test("The second signal ends the process with 130")
    func second() async {
        await #expect(processExitsWith: .exitCode(130)) {
            Interruption.install()
            kill(getpid(), SIGINT)
            // Two signals that are pending together are delivered as one.
            try await Task.sleep(for: .milliseconds(100))
            kill(getpid(), SIGTERM)
            try await Task.sleep(for: .seconds(10))
        }
    }

    @Test("A reader that goes away is a success: the writer closes and goes on")
    func brokenPipe() async {
        await #expect(processExitsWith: .exitCode(0)) {
            Interruption.ignoreBrokenPipes()
            let pipe = Pipe()
            dup2(pipe.fileHandleForWriting.fileDescriptor, 1)
            try pipe.fileHandleForWriting.close()
            try pipe.fileHandleForReading.close()
            var writer = StreamWriter(.output, capacity: 16)
            for _ in 0..<1000 { try writer.write(line: "a line that fills the buffer") }
            precondition(!writer.isOpen)
            try writer.flush()
        }
    }
}
