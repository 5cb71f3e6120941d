import Foundation

/// A server of this folder that runs as long as the value lives, and no longer than the tests.
///
/// Unchecked: Foundation's pipes and processes are not Sendable. Each method is called by one test
/// at a time.
final class ServerProcess: @unchecked Sendable {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Starts a script of this folder with Debian's Python, which has the whole standard library.
    static func start(
        script: String,
        arguments: [String] = [],
        firstLine: String? = nil
    ) async throws -> (process: ServerProcess, port: Int) {
        let server = ServerProcess()
        let port = try await blocking {
            server.process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
            server.process.arguments = [folder + "/" + script] + arguments
            server.process.standardInput = server.input
            server.process.standardOutput = server.output
            try server.process.run()
            if let firstLine { server.write(line: firstLine) }
            return Int(server.readLine())
        }
        guard let port else { throw CocoaError(.executableLoad) }
        return (server, port)
    }

    /// The server ends when its standard input does.
    deinit { try? input.fileHandleForWriting.close() }

    /// Writes a line and waits for the answer to it.
    func ask(_ question: String) async throws -> String {
        try await Self.blocking {
            self.write(line: question)
            return self.readLine()
        }
    }

    private func write(line: String) {
        input.fileHandleForWriting.write(Data((line + "\n").utf8))
    }

    private func readLine() -> String {
        var line = Data()
        while line.last != 0x0A {
            let piece = output.fileHandleForReading.availableData
            if piece.isEmpty { break }
            line += piece
        }
        return String(decoding: line.dropLast(), as: UTF8.self)
    }

    /// What waits must not wait on Swift's pool: it has two threads here.
    static func blocking<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
        }
    }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
}
