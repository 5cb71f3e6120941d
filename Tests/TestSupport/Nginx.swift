/// An nginx of the test's own that serves a folder on loopback until the value goes away.
package final class Nginx {
    package let port: Int
    private let scratch: Scratch

    package struct NotStarted: Error {
        let reason: String
    }

    /// Starts it; `folder` is what is served, relative to the top of the checkout or absolute.
    package init(serving folder: String) throws {
        scratch = try Scratch()
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
