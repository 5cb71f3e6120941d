internal import Foundation

/// A folder of its own for one test, gone with the value.
package final class Scratch: Sendable {
    package let path: String

    package init() throws {
        let folder = FileManager.default.temporaryDirectory.path
        path = folder + "/gearbox-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file, and its folders where they are missing.
    package func write(_ text: String, to name: String) throws {
        let target = URL(fileURLWithPath: file(name))
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: target)
    }

    /// Writes a file and returns its path.
    package func write(_ bytes: [UInt8], as name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }

    /// Puts a file where a folder is or would be, so that nothing can be written there.
    package func block(_ name: String) throws {
        try? FileManager.default.removeItem(atPath: file(name))
        _ = try write([], as: name)
    }

    package func read(_ name: String) throws -> String {
        String(decoding: try bytes(of: name), as: UTF8.self)
    }

    package func bytes(of name: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: file(name))))
    }

    /// What lies in the folder itself.
    package func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    /// Every regular file below the folder, relative to it.
    package func files() -> [String] {
        let walk = FileManager.default.enumerator(atPath: path)
        var names: [String] = []
        while let name = walk?.nextObject() as? String {
            if walk?.fileAttributes?[.type] as? FileAttributeType == .typeRegular {
                names.append(name)
            }
        }
        return names.sorted()
    }
}
