import Foundation
import TestSupport

/// A certificate for 127.0.0.1 and localhost that nobody but its owner trusts.
package final class Certificate: Sendable {
    package let folder: String
    package var file: String { folder + "/certificate.pem" }
    package var key: String { folder + "/key.pem" }

    package static func make() async throws -> Certificate {
        try await ServerProcess.blocking { try Certificate() }
    }

    private init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/gearbox-tls-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        _ = try Program.run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", file,
            ]
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }
}
