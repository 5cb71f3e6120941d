import Foundation

/// An HTTP/1.1 server on a free port of the loopback interface.
package final class ScriptedServer: Sendable {
    /// What was asked of a server so far.
    package struct Log: Decodable, Sendable {
        package struct Request: Decodable, Sendable {
            package var target: String
            /// By lower-case name.
            package var headers: [String: String]
            package var connection: Int
            /// Seconds since 1970.
            package var time: Double
        }

        package var requests: [Request]
        package var connections: Int
        /// How many requests were in their delay at once.
        package var peak: Int
    }

    private let process: ServerProcess
    package let port: Int

    private init(_ process: ServerProcess, _ port: Int) {
        self.process = process
        self.port = port
    }

    /// Starts a server that takes the steps of each target, or else of its path without the query,
    /// in turn; the last one repeats.
    package static func start(_ script: [String: [Step]]) async throws -> ScriptedServer {
        let (process, port) = try await ServerProcess.start(
            script: "scripted_server.py",
            firstLine: String(decoding: JSONEncoder().encode(script), as: UTF8.self)
        )
        return ScriptedServer(process, port)
    }

    package func url(_ path: String, host: String = "127.0.0.1") -> String {
        "http://\(host):\(port)\(path)"
    }

    package func log() async throws -> Log {
        try JSONDecoder().decode(Log.self, from: Data(try await process.ask("log").utf8))
    }

    /// What was asked for one path.
    package func requests(_ path: String) async throws -> [Log.Request] {
        try await log().requests.filter { $0.target.split(separator: "?")[0] == path }
    }
}
