import GearboxURL
import PictureSupport
import Prewarm
import Testing

@Suite("The ladder that wastes the least")
struct LadderSearchTests {
    /// Every ladder of so many gears out of some.
    private func ladders(_ count: Int, of gears: ArraySlice<Int>) -> [[Int]] {
        guard count > 0 else { return [[]] }
        return gears.indices.flatMap { index in
            ladders(count - 1, of: gears[(index + 1)...]).map { [gears[index]] + $0 }
        }
    }

    /// Whether a ladder comes before another that wastes the same: lower, compared from the top.
    private func isLower(_ a: [Int], _ b: [Int]) -> Bool {
        a.reversed().lexicographicallyPrecedes(b.reversed())
    }

    private struct Case {
        var traffic = SizeTraffic()
        var sides: Set<Int> = []
        var overflow: Overflow
    }

    private func sizes(_ isSmall: Bool, _ generator: inout SeededGenerator) -> Case {
        var made = Case(overflow: Overflow.allCases.randomElement(using: &generator) ?? .step)
        for _ in 0..<Int.random(in: 1...9, using: &generator) {
            // Small sides, where rounding is coarse, or sides around the steps of 256.
            let side = { (generator: inout SeededGenerator) in
                isSmall
                    ? Int.random(in: 1...12, using: &generator)
                    : 256 * Int.random(in: 1...3, using: &generator)
                        + Int.random(in: -2...2, using: &generator)
            }
            var box = Size(width: side(&generator), height: side(&generator))
            if Int.random(in: 0..<5, using: &generator) == 0 { box.height = 0 }
            made.traffic.add(box, hits: Int.random(in: 1...3, using: &generator))
            made.sides.insert(box.longerSide)
        }
        return made
    }

    @Test("of sizes is never worse than any other of as many gears")
    func sizes() throws {
        var generator = SeededGenerator(seed: 301)
        for number in 0..<(SeededGenerator.isSoaking ? 4_000 : 50) {
            let isSmall = number % 2 == 0
            let made = sizes(isSmall, &generator)
            let count = Int.random(in: 1...(isSmall ? 4 : 3), using: &generator)
            let name = Comment("GEARBOX_SEED=\(generator.seed), case \(number)")
            let best = try #require(
                made.traffic.bestLadder(count: count, overflow: made.overflow)
            )
            #expect(best.gears.count == min(count, made.sides.count), name)
            #expect(best.overflow == made.overflow, name)
            let waste = made.traffic.waste(on: best)
            let top = made.sides.max() ?? 0
            // Sizes that nobody asked for, between and beside those that somebody did.
            let around = Set(made.sides.flatMap { [$0 - 1, $0, $0 + 1] }).filter { $0 > 0 }
            let candidates = Set(
                Array(around).sorted().prefix(8) + [top, top + 1, 256, 512, 700]
            ).sorted()
            for gears in ladders(count, of: candidates[...]) {
                let ladder = SizeLadder(gears: gears, overflow: made.overflow)
                // Elsewhere a ladder that leaves sizes out wastes nothing on them.
                guard made.overflow == .step || gears.contains(where: { $0 >= top }) else {
                    continue
                }
                #expect(waste <= made.traffic.waste(on: ladder), "\(gears), \(best.gears), \(name)")
            }
            // Among those that waste the same it is the lowest.
            let equal = ladders(best.gears.count, of: made.sides.sorted()[...]).filter { gears in
                let ladder = SizeLadder(gears: gears, overflow: made.overflow)
                return (made.overflow == .step || gears.last == top)
                    && made.traffic.waste(on: ladder) == waste
            }
            #expect(equal.min(by: isLower) == best.gears, name)
        }
    }

    @Test("of qualities is never worse than any other of as many gears that ends with 100")
    func qualities() {
        var generator = SeededGenerator(seed: 302)
        for number in 0..<(SeededGenerator.isSoaking ? 4_000 : 100) {
            var traffic = QualityTraffic()
            var asked: Set<Int> = [100]
            for _ in 0..<Int.random(in: 0...7, using: &generator) {
                let quality = Int.random(in: 88...100, using: &generator)
                traffic.add(quality, hits: Int.random(in: 1...3, using: &generator))
                asked.insert(quality)
            }
            let count = Int.random(in: 1...4, using: &generator)
            let best = traffic.bestLadder(count: count, defaultQuality: 75)
            let name = Comment("GEARBOX_SEED=\(generator.seed), case \(number)")
            #expect(best.gears.last == 100, name)
            #expect(best.gears.count == min(count, asked.count), name)
            let others = ladders(count - 1, of: Array(87...99)[...])
            let least = others.map { traffic.waste(on: QualityLadder(gears: $0 + [100])) }.min()
            #expect(traffic.waste(on: best) == least, name)
        }
    }

    @Test("is today's or better, and no gear of it can be moved for the better")
    func large() throws {
        var generator = SeededGenerator(seed: 303)
        var traffic = SizeTraffic()
        let sides = 1...(SeededGenerator.isSoaking ? 4_096 : 400)
        for _ in 0..<sides.count {
            let box = Size(
                width: Int.random(in: sides, using: &generator),
                height: Int.random(in: 0...sides.upperBound, using: &generator)
            )
            traffic.add(box, hits: Int.random(in: 1...1_000_000, using: &generator))
        }
        let best = try #require(traffic.bestLadder(count: 10, overflow: .step))
        #expect(best.gears.count == 10)
        #expect(traffic.waste(on: best) <= traffic.waste(on: .standard))
        for (place, gear) in best.gears.enumerated() {
            for moved in [gear - 1, gear + 1] where (1...4_096).contains(moved) {
                var gears = best.gears
                gears[place] = moved
                #expect(traffic.waste(on: best) <= traffic.waste(on: SizeLadder(gears: gears)))
            }
        }
    }

    @Test("is every size that was asked for where these are no more than the gears")
    func fewSizes() {
        var traffic = SizeTraffic()
        #expect(traffic.bestLadder(count: 3, overflow: .step) == nil)
        for side in [200, 1_000, 3_000] { traffic.add(Size(width: side, height: 7), hits: 5) }
        let best = traffic.bestLadder(count: 3, overflow: .step)
        #expect(best?.gears == [200, 1_000, 3_000])
        #expect(best.map(traffic.waste) == 0)
        #expect(traffic.bestLadder(count: 9, overflow: .clamp)?.gears == [200, 1_000, 3_000])
    }
}
