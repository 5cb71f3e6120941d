import Foundation
import GearboxURL
import Testing

@Suite("Bytes of any kind")
struct RobustnessTests {
    private let canonicalizer = Canonicalizer(
        rules: CanonicalRules(origins: URLGenerator.origins, defaultScheme: "http")
    )

    private static let beginnings = [
        "", "", "h", "http://", "https://h/?", "http://p1.music.example/a?",
        "http://oss.example/a?",
        "http://oss.example/?x-oss-process=image/", "http://qiniu.example/?imageView2/",
        "http://tencent.example/?imageView2/1/w/", "http://plain.example/?",
    ]

    @Test("give a request or an error, never a crash")
    func randomBytes() {
        let failure = Sample.failure(salt: 11) { generator in
            let count = Int.random(in: 0...64, using: &generator)
            var bytes = Array(generator.pick(Self.beginnings).utf8)
            for _ in 0..<count { bytes.append(UInt8.random(in: 0...255, using: &generator)) }
            return violation(bytes, canonicalizer)
        }
        #expect(failure == nil)
    }

    @Test("in a URL that was damaged give a request or an error, never a crash")
    func mutatedURLs() {
        let failure = Sample.failure(salt: 12) { generator in
            var bytes = Array(URLGenerator.pieces(&generator).url.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator) { damage(&bytes, &generator) }
            return violation(bytes, canonicalizer)
        }
        #expect(failure == nil)
    }

    /// Ten minutes with `GEARBOX_SOAK=1`, on what the vectors hold and under their rules.
    @Test("of damaged vectors give a request or an error, never a crash")
    func damagedVectors() throws {
        let isSoak = ProcessInfo.processInfo.environment["GEARBOX_SOAK"] == "1"
        let end = ContinuousClock.now + .seconds(isSoak ? 600 : 1)
        let vectors = try Vector.files.flatMap { try Vector.all(in: $0) }
        let canonicalizers = vectors.map { Canonicalizer(rules: $0.rules) }
        let inputs = vectors.map { Array($0.input.utf8) }
        var generator = SeededGenerator(seed: Sample.seed &* 31 &+ 13)
        print("fuzzing the vectors with GEARBOX_SEED=\(Sample.seed)")
        var cases = 0
        while ContinuousClock.now < end {
            for _ in 0..<500 {
                let index = Int.random(in: inputs.indices, using: &generator)
                var bytes = inputs[index]
                for _ in 0..<Int.random(in: 1...8, using: &generator) {
                    if generator.chance(0.1) {
                        bytes += generator.pick(inputs)
                    } else {
                        damage(&bytes, &generator)
                    }
                }
                let name = violation(bytes, canonicalizers[index])
                try #require(name == nil, "GEARBOX_SEED=\(Sample.seed), case \(cases)")
                cases += 1
            }
        }
        print("fuzzed the vectors: \(cases) cases")
    }

    @Test("in very long URLs with very many parameters take no longer than they must")
    func longURLs() throws {
        let many = (0..<20_000).map { "p=\($0 % 10_000)" }.joined(separator: "&")
        let request = try canonicalizer.request(for: "http://h/a?\(many)&param=10y10")
        #expect(request.unknownNames == ["p"])
        let items = try #require(request.source).dropFirst("/a?".count).split(separator: "&")
        #expect(items.elementsEqual((0..<10_000).map { "p=\($0)" }, by: ==))
    }

    private func damage(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        let index = Int.random(in: 0...bytes.count, using: &generator)
        let special = Array("%?#&=|/:@[]. \\".utf8)
        let byte =
            generator.chance(0.5)
            ? generator.pick(special) : UInt8.random(in: 0...255, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes.insert(byte, at: index)
        case 1: bytes.removeSubrange(index..<min(index + 3, bytes.count))
        case 2: bytes.insert(contentsOf: bytes.prefix(index), at: index)
        default: if index < bytes.count { bytes[index] = byte }
        }
    }

    /// What is wrong with what the bytes become; `nil` if nothing is.
    private func violation(_ bytes: [UInt8], _ canonicalizer: Canonicalizer) -> String? {
        let name = "bytes \(bytes)"
        let alone = canonicalAlone(bytes, canonicalizer)
        guard !canonicalizer.explanation(of: bytes.span).sentences.isEmpty else { return name }
        guard let request = try? canonicalizer.request(for: bytes.span) else {
            return alone == nil ? nil : name
        }
        guard alone == request.canonical else { return name }
        for text in [request.key, request.canonical, request.fetchURL, request.source ?? "/"] {
            guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return name }
        }
        guard request.key.utf8.first == UInt8(ascii: "/"),
            request.rawKey.utf8.first == UInt8(ascii: "/"),
            let again = try? canonicalizer.request(for: request.canonical),
            again.canonical == request.canonical, again.key == request.key,
            again.requestClass == request.requestClass, again.directives == request.directives
        else { return name }
        return nil
    }
}

/// What `writeCanonical` writes, in exactly the room that it asks for; `nil` for an error.
func canonicalAlone(_ bytes: [UInt8], _ canonicalizer: Canonicalizer) -> String? {
    let capacity = Canonicalizer.canonicalCapacity(of: bytes.span)
    let written = try? [UInt8](capacity: capacity) { output throws(RequestError) in
        try canonicalizer.writeCanonical(of: bytes.span, to: &output)
    }
    return written.map { String(decoding: $0, as: UTF8.self) }
}
