import Foundation

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
        let openssl = Process()
        openssl.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        openssl.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "2", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", file,
        ]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }
}
