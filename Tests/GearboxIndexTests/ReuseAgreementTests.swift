import Foundation
import GearboxIndex
import GearboxURL
import PictureSupport
import TestSupport
import Testing

@Suite("Answers of the program, of the documented query and of the rule in Python")
struct ReuseAgreementTests {
    @Test(
        "are the same for random requests of random indexes, and every clause of the rule decides"
    )
    func agreement() throws {
        let isSoaking = SeededGenerator.isSoaking
        let scratch = try Scratch()
        let seed = SeededGenerator(seed: 6).seed
        let (indexes, requests) = isSoaking ? (50, 2_000) : (3, 800)
        var arguments = [Program.root + "/Tests/EndToEndTests/reuse.py"]
        for number in 0..<indexes {
            var scene = ReuseScene(
                seed: seed &+ UInt64(number) &* 1_000_003,
                sources: 150,
                steps: number.isMultiple(of: 2) ? "" : "sharpen"
            )
            let path = scratch.file("\(number).sqlite")
            try scene.write(to: path)
            let reader = try IndexReader(path: path)
            var lines = [ReuseScene.pipeline]
            for _ in 0..<requests {
                let (url, accepted) = scene.request()
                let answer = try reader.answer(to: reader.request(for: url), accepted: accepted)
                lines.append(
                    "{\"url\": \"\(url)\", \"accept\": \(accepted.map(Self.json) ?? "null"), "
                        + "\"answer\": \(Self.json(answer))}"
                )
            }
            try scratch.write(lines.joined(separator: "\n") + "\n", to: "\(number).jsonl")
            arguments += [path, scratch.file("\(number).jsonl")]
        }
        let judge = try Program.run("/usr/bin/python3", arguments)
        #expect(judge.status == 0, "seed \(seed): \(judge.errors)\(judge.output)")
        if isSoaking { print(judge.output) }
    }

    private static func json(_ words: Set<String>) -> String {
        "[" + words.sorted().map { "\"\($0)\"" }.joined(separator: ", ") + "]"
    }

    /// An answer as the columns of the query.
    private static func json(_ answer: Answer) -> String {
        let (result, variant, recipe): (String, VariantRecord?, Recipe?) =
            switch answer {
            case .exact(let variant): ("exact", variant, nil)
            case .reuse(let variant, let recipe): ("reuse", variant, recipe)
            case .alias(let variant): ("alias", variant, nil)
            case .miss: ("miss", nil, nil)
            }
        let size = recipe?.size ?? variant?.size
        let crop = recipe?.crop
        let numbers = [
            recipe?.scale?.width, recipe?.scale?.height, crop?.x, crop?.y, crop?.size.width,
            crop?.size.height,
        ]
        let columns =
            [text(result), text(variant?.file), text(variant.map { $0.mode?.rawValue ?? "" })]
            + [number(size?.width), number(size?.height), number(variant?.quality)]
            + [text(variant?.format)] + numbers.map(number)
        return "[" + columns.joined(separator: ", ") + "]"
    }

    private static func text(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }
    private static func number(_ number: Int?) -> String { number.map(String.init) ?? "null" }
}
