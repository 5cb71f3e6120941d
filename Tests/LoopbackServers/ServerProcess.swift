import Foundation
import TestSupport

/// A server of this folder that runs as long as the value lives, and no longer than the tests.
///
/// Each method is called by one test at a time.
final class ServerProcess: Sendable {
    private let program: StartedProgram

    private init(_ arguments: [String]) throws {
        program = try StartedProgram("/usr/bin/python3", arguments, input: .pipe, output: .pipe)
    }

    /// Starts a script of this folder with Debian's Python, which has the whole standard library.
    static func start(
        script: String,
        arguments: [String] = [],
        firstLine: String? = nil
    ) async throws -> (process: ServerProcess, port: Int) {
        try await blocking {
            let server = try ServerProcess([folder + "/" + script] + arguments)
            if let firstLine { server.write(line: firstLine) }
            guard let port = Int(server.readLine()) else { throw CocoaError(.executableLoad) }
            return (server, port)
        }
    }

    /// The server ends when its standard input does.
    deinit { try? program.input?.close() }

    /// Writes a line and waits for the answer to it.
    func ask(_ question: String) async throws -> String {
        try await Self.blocking {
            self.write(line: question)
            return self.readLine()
        }
    }

    private func write(line: String) {
        program.input?.write(Data((line + "\n").utf8))
    }

    private func readLine() -> String {
        var line = Data()
        while line.last != 0x0A {
            guard let piece = program.output?.availableData, !piece.isEmpty else { break }
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
