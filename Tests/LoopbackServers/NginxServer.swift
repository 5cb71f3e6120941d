import Foundation

/// nginx with TLS and HTTP/2, serving a folder.
package final class NginxServer: Sendable {
    package let certificate: Certificate
    package let port: Int
    private let process: ServerProcess

    private init(_ certificate: Certificate, _ process: ServerProcess, _ port: Int) {
        self.certificate = certificate
        self.process = process
        self.port = port
    }

    /// Starts it.
    ///
    /// `settings` are further lines of its `server` block.
    package static func start(
        serving folder: String,
        settings: String = ""
    ) async throws -> NginxServer {
        let certificate = try await Certificate.make()
        let home = certificate.folder
        let configuration = """
            daemon off; master_process off; pid \(home)/pid; error_log \(home)/error.log;
            events { worker_connections 512; }
            http {
                access_log off; client_body_temp_path \(home)/body; proxy_temp_path \(home)/proxy;
                fastcgi_temp_path \(home)/fastcgi; uwsgi_temp_path \(home)/uwsgi;
                scgi_temp_path \(home)/scgi;
                server {
                    listen 127.0.0.1:PORT ssl http2;
                    ssl_certificate \(certificate.file); ssl_certificate_key \(certificate.key);
                    root \(folder);
                    add_header X-Connection "$connection $connection_requests $server_protocol";
                    \(settings)
                }
            }
            """
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: home + "/nginx.conf"))
        let (process, port) = try await ServerProcess.start(
            script: "supervise.py",
            arguments: [home]
        )
        return NginxServer(certificate, process, port)
    }

    package func url(_ path: String) -> String { "https://localhost:\(port)\(path)" }
}
