import System
import TestSupport
import Testing

/// Starts the program that the tests have as a child.
func startProbe(_ words: String...) throws -> ChildProcess {
    try ChildProcess(program: Program.built("childprobe"), arguments: words)
}

extension ChildProcess {
    /// The next message, as text; it must come.
    func text(within time: Duration = .seconds(20)) throws -> String {
        let received = try socket.receive(within: time)
        guard case .message(let bytes) = received else {
            Issue.record("a message was expected, not \(received)")
            return ""
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
