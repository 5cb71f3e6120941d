internal import Foundation

/// A folder that goes away with the value.
package final class Scratch {
    package let path: String

    package init() throws {
        let folder = FileManager.default.temporaryDirectory.path
        path = folder + "/gearbox-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func write(_ text: String, to name: String) throws {
        let target = path + "/" + name
        let folder = (target as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: target))
    }

    package func read(_ name: String) throws -> String {
        String(
            decoding: try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)),
            as: UTF8.self
        )
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
