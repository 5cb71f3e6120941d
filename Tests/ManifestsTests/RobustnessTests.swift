import Manifests
import PictureSupport
import Testing

@Suite("A manifest of anything")
struct RobustnessTests {
    @Test(
        "is read without a crash, in pieces of any size alike",
        arguments: ManifestFormat.allCases
    )
    func anything(format: ManifestFormat) throws {
        var generator = SeededGenerator(seed: 99)
        let words: [ManifestFormat: [String]] = [
            .text: ["http://h/a", "#", " ", "\t"],
            .csv: ["\"", "\"\"", ",", "url", "a", "\",\""],
            .tsv: ["\"", "\"\"", "\t", "url", "a"],
            .jsonl: ["{\"url\":\"a\"}", "{", "}", "\"url\"", ":", "\"", "\\u12", "[", "1e", ","],
            .clf: [
                " [", "] \"", "GET ", "/a", " HTTP/1.1", "\" 200", " ", "\\", "\\x2", "h:80 a b c",
            ],
        ]
        var shape = ManifestShape(format)
        if format == .clf { try shape.set(column: nil, base: "http://h") }
        for round in 0..<(SeededGenerator.isSoaking ? 50_000 : 500) {
            var bytes = Array((format.hasColumns && format != .jsonl ? "url\n" : "").utf8)
            for _ in 0..<Int.random(in: 0..<40, using: &generator) {
                switch Int.random(in: 0..<8, using: &generator) {
                case 0: bytes.append(UInt8.random(in: 0...255, using: &generator))
                case 1: bytes += Array(["\n", "\r", "\r\n"].randomElement(using: &generator)!.utf8)
                default: bytes += Array(words[format]!.randomElement(using: &generator)!.utf8)
                }
            }
            let small = Int.random(in: 1...9, using: &generator)
            var items: [ManifestItem] = []
            let error = Reading.error {
                items = try Reading.items(bytes, shape, pieces: [small, 1_000])
                return items
            }
            let note = "seed \(generator.seed), round \(round): \(bytes)"
            #expect(error == nil, "\(note)")
            let lines = items.compactMap { item -> Int? in
                switch item {
                case .entry(let entry): entry.line
                case .bad(let line, _): line
                case .skipped: nil
                }
            }
            // Each line is told of once, in their order.
            #expect(lines == Set(lines).sorted(), "\(note)")
            let count = bytes.count { $0 == 0x0A || $0 == 0x0D } + 1
            #expect(lines.allSatisfy { (1...count).contains($0) }, "\(note)")
        }
    }
}
