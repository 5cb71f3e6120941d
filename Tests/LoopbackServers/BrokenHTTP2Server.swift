/// A server that ends HTTP/2 streams as its mode says; see `http2_server.py`.
package final class BrokenHTTP2Server: Sendable {
    package let certificate: Certificate
    package let port: Int
    private let process: ServerProcess

    private init(_ certificate: Certificate, _ process: ServerProcess, _ port: Int) {
        self.certificate = certificate
        self.process = process
        self.port = port
    }

    package static func start(mode: String) async throws -> BrokenHTTP2Server {
        let certificate = try await Certificate.make()
        let (process, port) = try await ServerProcess.start(
            script: "http2_server.py",
            arguments: [certificate.file, certificate.key, mode]
        )
        return BrokenHTTP2Server(certificate, process, port)
    }

    package func url(_ path: String) -> String { "https://localhost:\(port)\(path)" }
}
