import GearboxURL
import Testing

@Suite("The vectors of fixtures/vectors")
struct VectorTests {
    @Test("hold", arguments: Vector.files)
    func hold(file: String) throws {
        for vector in try Vector.all(in: file) {
            #expect(vector.actual == vector.expected, "\(vector.name) \(vector.input)")
            let alone = canonicalAlone(Array(vector.input.utf8), Canonicalizer(rules: vector.rules))
            #expect(alone == vector.expected.canonical, "\(vector.name) \(vector.input)")
        }
    }

    @Test("are all there, in the groups that the contract names")
    func groups() {
        let names = Vector.files.map { String($0.dropLast(".jsonl".count)) }
        #expect(
            names == [
                "axis", "duplicates", "errors", "flags", "format", "ladders", "opaque", "order",
                "origins", "oss", "qiniu", "quality", "signed", "size", "syntax", "tencent",
                "unknown",
            ]
        )
    }

    @Test("are fixed points: a canonical URL is its own canonical URL", arguments: Vector.files)
    func fixedPoints(file: String) throws {
        for vector in try Vector.all(in: file) {
            let canonicalizer = Canonicalizer(rules: vector.rules)
            guard let first = try? canonicalizer.request(for: vector.input) else { continue }
            let second = try canonicalizer.request(for: first.canonical)
            #expect(second.canonical == first.canonical, "\(vector.name)")
            #expect(second.key == first.key, "\(vector.name)")
            #expect(second.origin == first.origin, "\(vector.name)")
            #expect(second.requestClass == first.requestClass, "\(vector.name)")
            #expect(second.directives == first.directives, "\(vector.name)")
        }
    }
}
