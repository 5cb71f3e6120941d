import Foundation

/// Measures a relation index of typical URLs: its size, and answers in process on one core.
///
///     indexbench FOLDER [VARIANTS]     writes its files there; a million variants if not given
@main
enum IndexBench {
    static func main() throws {
        let words = CommandLine.arguments.dropFirst()
        guard let folder = words.first else {
            FileHandle.standardError.write(Data("usage: indexbench FOLDER [VARIANTS]\n".utf8))
            exit(2)
        }
        let variants = words.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
        let plain = try TypicalIndex(variants: variants, withAliases: false)
        let seconds = try plain.write(to: folder + "/plain.sqlite")
        let aliased = try TypicalIndex(variants: variants, withAliases: true)
        _ = try aliased.write(to: folder + "/index.sqlite")
        let size = try bytes(folder + "/plain.sqlite")
        let whole = try bytes(folder + "/index.sqlite")
        print("index of \(variants) variants, 9 a source")
        row("bytes a variant", Double(size) / Double(variants), "goal at most 200")
        row("bytes an alias", Double(whole - size) / Double(aliased.aliasCount), "")
        row("seconds to fill and to compact it", seconds, "")
        print("answers in process, one core      median    p99 us   a second of CPU time")
        try AnswerRates(index: folder + "/index.sqlite", of: aliased).report()
    }

    private static func bytes(_ path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }

    private static func row(_ name: String, _ value: Double, _ remark: String) {
        let name = name.padding(toLength: 34, withPad: " ", startingAt: 0)
        print("  \(name)\(String(format: "%8.1f", value))   \(remark)")
    }
}
