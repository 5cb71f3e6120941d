internal import Foundation
package import Testing

/// Texts that are compared byte for byte with files of `fixtures/golden`.
///
/// With `RECORD_GOLDENS=1` the files are written anew, and the run fails, so that a recording is never
/// taken for a check.
package enum Golden {
    package static func expect(
        _ text: String,
        at name: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = URL(fileURLWithPath: Program.root + "/fixtures/golden/" + name)
        if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1" {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
            Issue.record("recorded \(name)", sourceLocation: sourceLocation)
            return
        }
        let golden = (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) }
        #expect(text == golden, "see fixtures/golden/\(name)", sourceLocation: sourceLocation)
    }
}
