internal import Foundation

/// An nginx of the test's own that serves a folder on loopback until the value goes away.
package final class Nginx {
    package let port: Int
    private let scratch: Scratch

    package struct NotStarted: Error {
        let reason: String
    }

    /// Starts it.
    ///
    /// - Parameters:
    ///   - folder: what is served, relative to the top of the checkout or absolute.
    ///   - configuration: a folder with an `http.conf` and a `server.conf` whose lines it has, too.
    /// - Throws: where it does not start.
    package init(serving folder: String, configuration: String? = nil) throws {
        scratch = try Scratch()
        for name in ["http.conf", "server.conf"] {
            guard let configuration else { break }
            try FileManager.default.copyItem(
                atPath: "\(configuration)/\(name)",
                toPath: scratch.file(name)
            )
        }
        let started = try Self.script("start", folder, scratch.path)
        guard let port = Int(started.lines.first ?? ""), started.status == 0 else {
            throw NotStarted(reason: started.errors)
        }
        self.port = port
    }

    deinit { _ = try? Self.script("stop", scratch.path) }

    package var host: String { "127.0.0.1:\(port)" }

    /// What was asked so far: status, bytes of the body, method and path of each request.
    package func requests() throws -> [String] {
        try scratch.read("access.log").split(separator: "\n").map(String.init)
    }

    private static func script(_ arguments: String...) throws -> Program {
        try Program.run("/bin/bash", [Program.root + "/bench/nginx.sh"] + arguments)
    }
}
