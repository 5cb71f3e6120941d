import Foundation
import TestSupport
import Testing

/// What docs/operations.md promises is what a test shows.
@Suite("The table of faults")
struct OperationsTests {
    @Test("names a test in each row, and each of them is there")
    func tests() throws {
        let page = try String(contentsOfFile: Program.root + "/docs/operations.md", encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("|") && $0.contains("Tests.") }
        #expect(rows.count > 20)
        let section = page.split(separator: "## ").first { $0.hasPrefix("When something fails") }
        let table = try #require(section).split(separator: "\n").filter { $0.hasPrefix("|") }
        #expect(table.count == rows.count + 2, "a row of the table names no test")
        for row in rows {
            for name in row.matches(of: /`(\w+Tests)\.(\w+)`/) {
                let file = "\(Program.root)/Tests/EndToEndTests/\(name.1).swift"
                let code = try String(contentsOfFile: file, encoding: .utf8)
                #expect(code.contains("func \(name.2)("), "\(name.0)")
            }
        }
    }
}
