import GearboxURL
import Manifests
import PictureSupport
import Prewarm
import TestSupport
import Testing

@Suite("The traffic of manifests")
struct TrafficTests {
    private func box(_ width: Int, _ height: Int) -> Size { Size(width: width, height: height) }

    @Test("is counted by what is asked for, before gears")
    func counts() throws {
        let scratch = try TestSupport.Scratch()
        try scratch.write(
            """
            \u{FEFF}# a comment
            http://h/a?param=100y50\r
            http://h/a?thumbnail=100x0&quality=80
            http://h/b?param=2000z3000&quality=100
            http://h/a?quality=0
            http://h/a
            http://h/a?crop=1
            http://h/a?param=5x5&Signature=1
            h/no-scheme

            ftp://h/a
            """,
            to: "a.txt"
        )
        var traffic = Traffic(rules: CanonicalRules())
        var bad: [Int] = []
        try traffic.read(Pipeline.Manifest(path: scratch.path + "/a.txt")) { line, message in
            #expect(!message.isEmpty)
            bad.append(line)
        }
        #expect(bad == [9, 11])
        #expect(traffic.entries == 9)
        #expect(traffic.variantRequests == 4)
        #expect(traffic.plainRequests == 1)
        #expect(traffic.verbatimRequests == 2)
        #expect(
            traffic.sizes.hits.enumerated().filter { $0.element > 0 }.map(\.offset) == [100, 3000]
        )
        // One side counts as a square.
        #expect(traffic.sizes.pixels == 100 * 50 + 100 * 100 + 2_000 * 3_000)
        let qualities = traffic.qualities.hits.enumerated().filter { $0.element > 0 }
        #expect(qualities.map { [$0.offset, $0.element] } == [[75, 2], [80, 1], [100, 1]])
        #expect(throws: ManifestError.self) {
            try traffic.read(Pipeline.Manifest(path: "/none")) { _, _ in }
        }
    }

    @Test("wastes what its boxes grow by")
    func waste() {
        var traffic = SizeTraffic()
        traffic.add(box(100, 50), hits: 3)
        traffic.add(box(0, 200), hits: 1)
        traffic.add(box(1_500, 10), hits: 2)
        let step = SizeLadder(gears: [120, 256])
        // 100 x 50 to 120 x 60, 200 x 200 to 256 x 256, 1500 x 10 to 1536 x 10.
        #expect(traffic.waste(on: step) == 3 * 2_200 + 25_536 + 2 * 360)
        #expect(traffic.requestsMadeSmaller(by: step) == 0)
        let clamp = SizeLadder(gears: [120], overflow: .clamp)
        #expect(traffic.waste(on: clamp) == 3 * 2_200)
        #expect(traffic.requestsMadeSmaller(by: clamp) == 3)
    }

    @Test("stays within what can be summed, whatever the hits")
    func manyHits() throws {
        var traffic = Traffic(rules: CanonicalRules())
        let request = try Canonicalizer(rules: CanonicalRules())
            .request(for: "http://h/a?param=4096y4096&quality=1")
        for hits in [Int.max, 1, -5, 0, Int.max] { traffic.add(request, hits: hits) }
        #expect(traffic.requests == 1 << 38)
        let comparison = LadderComparison(traffic, rules: CanonicalRules())
        #expect(comparison.sizes.best?.gears == [4_096])
        #expect(comparison.sizes.today.waste == 0)
        #expect(comparison.qualities.today.waste == 38 << 38)
    }

    @Test("compares today's ladders with the best ones")
    func comparison() throws {
        let rules = CanonicalRules(sizes: SizeLadder(gears: [100, 300]))
        var traffic = Traffic(rules: rules)
        let canonicalizer = Canonicalizer(rules: rules)
        for (url, hits) in [("a?param=120y120", 90), ("a?param=200y200", 5), ("b?param=90y90", 5)] {
            traffic.add(try canonicalizer.request(for: "http://h/" + url), hits: hits)
        }
        let comparison = LadderComparison(traffic, rules: rules)
        #expect(comparison.sizes.today.gears == [100, 300])
        #expect(comparison.sizes.today.variants.count == 2)
        #expect(comparison.sizes.today.variants.precision == .exact)
        #expect(comparison.sizes.today.hitRate == 0.98)
        #expect(comparison.sizes.best?.gears == [120, 200])
        #expect(comparison.sizes.best?.variants.count == 3)
        #expect(comparison.sizes.best?.hitRate == 0.97)
        #expect(comparison.qualities.best?.gears == [75, 100])
        #expect(comparison.qualities.best?.waste == 0)
        let one = LadderComparison(traffic, rules: rules, sizeCount: 1, qualityCount: 1)
        #expect(one.sizes.best?.gears == [120])
        #expect(one.qualities.best?.gears == [100])
        let none = LadderComparison(Traffic(rules: rules), rules: rules)
        #expect(none.sizes.best == nil && none.sizes.today.hitRate == nil)
    }

    /// A request of one of some sources.
    private func wish(_ generator: inout SeededGenerator, sources: Int) -> (Directives, String) {
        let side = Int.random(in: 1...1_200, using: &generator)
        let quality = Int.random(in: 1...100, using: &generator)
        let asked = Directives(mode: .y, box: box(side, side), quality: quality)
        return (asked, "/\(Int.random(in: 0..<sources, using: &generator)).jpg")
    }

    /// The distinct canonical keys.
    private func keys(_ wishes: [(Directives, String)], _ rules: CanonicalRules) -> Set<String?> {
        let canonicalizer = Canonicalizer(rules: rules)
        return Set(
            wishes.map { asked, source in
                DialectName.nos.key(source: source, directives: canonicalizer.onGears(asked))
            }
        )
    }

    @Test("has as many variants as there are distinct keys, under any ladders")
    func exactVariants() {
        var generator = SeededGenerator(seed: 304)
        let wishes = (0..<2_000).map { _ in wish(&generator, sources: 40) }
        var sample = VariantSample(capacity: 2_000)
        for (asked, source) in wishes { sample.add(asked, of: source, at: "o") }
        for rules in [
            CanonicalRules(),
            CanonicalRules(
                sizes: SizeLadder(gears: [77, 500]),
                qualities: QualityLadder(gears: [100])
            ),
        ] {
            let variants = sample.variants(sizes: rules.sizes, qualities: rules.qualities)
            #expect(variants.precision == .exact)
            #expect(variants.count == keys(wishes, rules).count)
        }
        #expect(sample.sources == 40)
    }

    @Test("has about as many variants as a sample of its sources tells")
    func estimatedVariants() {
        var generator = SeededGenerator(seed: 305)
        let wishes = (0..<60_000).map { _ in wish(&generator, sources: 20_000) }
        var sample = VariantSample(capacity: 20_000)
        for (asked, source) in wishes { sample.add(asked, of: source, at: "o") }
        let rules = CanonicalRules()
        let variants = sample.variants(sizes: rules.sizes, qualities: rules.qualities)
        let exact = keys(wishes, rules).count
        #expect(variants.precision == .estimated)
        #expect(sample.sources < 10_000)
        #expect(abs(variants.count - exact) < exact / 20, "\(variants.count), exactly \(exact)")
    }

    @Test("of few sources with very many boxes is told from a share of these")
    func manyBoxes() {
        var generator = SeededGenerator(seed: 306)
        let wishes = (0..<60_000).map { _ in wish(&generator, sources: 3) }
        var sample = VariantSample(capacity: 10_000)
        for (asked, source) in wishes { sample.add(asked, of: source, at: "o") }
        let rules = CanonicalRules()
        let variants = sample.variants(sizes: rules.sizes, qualities: rules.qualities)
        let exact = keys(wishes, rules).count
        #expect(variants.precision == .atLeast)
        #expect(variants.count <= exact && variants.count > exact * 9 / 10)
    }
}
