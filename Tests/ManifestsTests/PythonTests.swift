import Foundation
import Manifests
import PictureSupport
import TestSupport
import Testing

/// Readers against Python's csv, json and gzip modules, which share no code with ours.
@Suite("A manifest that Python wrote")
struct PythonTests {
    /// What Python read: an entry has four values, a bad line one.
    private struct Case: Decodable {
        enum Value: Decodable, Equatable {
            case text(String)
            case number(Int)
            case none

            init(from decoder: any Decoder) throws {
                let value = try decoder.singleValueContainer()
                if value.decodeNil() {
                    self = .none
                } else if let number = try? value.decode(Int.self) {
                    self = .number(number)
                } else {
                    self = .text(try value.decode(String.self))
                }
            }
        }

        var text: Data
        var items: [[Value]]?
        var plain: Data?
    }

    private func cases(_ format: String, seed: UInt64) throws -> [Case] {
        let count = SeededGenerator.isSoaking ? "20000" : "400"
        let script = Program.root + "/Tests/ManifestsTests/manifests.py"
        let made = try Program.python(script, format, "\(seed)", count)
        try #require(made.status == 0, "\(made.errors)")
        return try made.lines.map { try JSONDecoder().decode(Case.self, from: Data($0.utf8)) }
    }

    @Test("is read as Python reads it", arguments: [ManifestFormat.csv, .tsv, .jsonl])
    func equal(format: ManifestFormat) throws {
        let seed = SeededGenerator(seed: 20_261_130).seed
        for (index, one) in try cases(format.rawValue, seed: seed).enumerated() {
            let found = try Reading.items(
                [UInt8](one.text),
                ManifestShape(format),
                pieces: [1 + index % 50, 1 << 20]
            )
            let values = found.map { item -> [Case.Value] in
                switch item {
                case .entry(let entry):
                    return [
                        .number(entry.line), .text(entry.url),
                        entry.hash.map { .text($0) } ?? .none,
                        .number(entry.hits),
                    ]
                case .bad(let line, _): return [.number(line)]
                case .skipped: return []
                }
            }
            let text = String(decoding: one.text, as: UTF8.self)
            guard values == one.items else {
                Issue.record("seed \(seed), case \(index): \(text.debugDescription) \(found)")
                return
            }
        }
    }

    @Test("is decompressed as Python does it, or refused where Python refuses it")
    func gzip() throws {
        let seed = SeededGenerator(seed: 7).seed
        for (index, one) in try cases("gzip", seed: seed).enumerated() {
            let plain = try one.plain.map {
                try Reading.items([UInt8]($0), ManifestShape(.text), pieces: [1 << 20])
            }
            var found: [ManifestItem]?
            let error = Reading.error {
                let items = try Reading.items(
                    [UInt8](one.text),
                    ManifestShape(.text),
                    pieces: [1 + index % 700, 1 << 20]
                )
                found = items
                return items
            }
            #expect(found == plain, "seed \(seed), case \(index)")
            #expect((error == nil) == (plain != nil), "seed \(seed), case \(index)")
            #expect(error.map { $0.code == .damaged || $0.code == .truncated } ?? true)
        }
    }
}
