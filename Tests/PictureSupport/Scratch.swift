import Foundation

/// A folder of its own for one test, gone with the value.
package final class Scratch {
    package let path: String

    package init() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "gearbox-pictures-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file and returns its path.
    package func write(_ bytes: [UInt8], as name: String) throws -> String {
        try Data(bytes).write(to: URL(filePath: file(name)))
        return file(name)
    }

    /// Puts a file where a folder is or would be, so that nothing can be written there.
    package func block(_ name: String) throws {
        try? FileManager.default.removeItem(atPath: file(name))
        _ = try write([], as: name)
    }

    package func bytes(of name: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(filePath: file(name))))
    }
}
