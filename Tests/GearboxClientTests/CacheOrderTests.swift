import GearboxClient
import PictureSupport
import Testing

@Suite("A cache of decoded pictures")
struct CacheOrderTests {
    /// Requests for different pictures that no index knows.
    private static func requests(_ count: Int) throws -> [PictureRequest] {
        let scene = try CacheScene(sources: [])
        return try (0..<count).map { try scene.request("\($0).jpg?param=100x100") }
    }

    @Test("lets newcomers leave in the order they came, and the proven by their last use")
    func order() throws {
        let pictures = try Self.requests(8)
        let cache = PictureCache<String>(
            limits: CacheLimits(cost: 4, newcomersShare: 0.5, ghosts: 0)
        )
        func held() -> [Int] {
            pictures.indices.filter { cache.holds(pictures[$0]) }
        }
        for place in 0..<4 { cache.insert(pictures[place]) }
        #expect(held() == [0, 1, 2, 3])
        // 0 is proven; the newcomers 1, 2, 3 are over their share of 2.
        #expect(cache.picture(for: pictures[0])?.picture == pictures[0].url)
        cache.insert(pictures[4])
        #expect(held() == [0, 2, 3, 4])
        _ = cache.picture(for: pictures[2])
        _ = cache.picture(for: pictures[3])
        // 0, 2 and 3 are proven, in this order of use; 4 and 5 are the share of the newcomers.
        cache.insert(pictures[5])
        #expect(held() == [2, 3, 4, 5])
        _ = cache.picture(for: pictures[2])
        cache.insert(pictures[6])
        #expect(held() == [2, 3, 5, 6])
        cache.trim(toCost: 1)
        #expect(held() == [2], "3 was used before 2, and newcomers leave first")
        cache.removeAll()
        #expect(held() == [])
        #expect(cache.statistics.cost == 0)
    }

    @Test("takes a picture that comes back after it was pushed out for proven")
    func ghosts() throws {
        let pictures = try Self.requests(200)
        let cache = PictureCache<String>(costLimit: 4)
        cache.insert(pictures[0])
        for place in 1..<10 { cache.insert(pictures[place]) }
        #expect(!cache.holds(pictures[0]))
        cache.insert(pictures[0])
        for place in 10..<200 { cache.insert(pictures[place]) }
        #expect(cache.holds(pictures[0]))
    }

    @Test("holds no more than its limit, and nothing that is beyond it alone")
    func limit() throws {
        let pictures = try Self.requests(40)
        let cache = PictureCache<String>(costLimit: 100)
        #expect(!cache.insert(pictures[0], cost: 101))
        #expect(cache.statistics.refusals == 1)
        for place in 1..<40 {
            #expect(cache.insert(pictures[place], cost: place))
            #expect(cache.statistics.cost <= 100)
        }
        // In place of the one before it, also where the new one is refused.
        #expect(cache.insert(pictures[39], cost: 3))
        #expect(!cache.insert(pictures[39], cost: 101))
        #expect(!cache.holds(pictures[39]))
        #expect(!PictureCache<String>(costLimit: 0).insert(pictures[1]))
    }

    @Test("does as a slow and simple cache of the same rules does, whatever happens")
    func model() throws {
        let pictures = try Self.requests(60)
        var dice = SeededGenerator(seed: 22)
        for round in 0..<(SeededGenerator.isSoaking ? 2_000 : 40) {
            let limits = CacheLimits(
                cost: .random(in: 5...80, using: &dice),
                newcomersShare: [0, 0.1, 0.25, 0.5, 1].randomElement(using: &dice) ?? 0,
                ghosts: [0, 1].randomElement(using: &dice) ?? 0
            )
            let cache = PictureCache<String>(limits: limits)
            var model = ModelCache(limits: limits)
            for step in 0..<300 {
                let place = Int.random(in: 0..<pictures.count, using: &dice)
                switch Int.random(in: 0..<40, using: &dice) {
                case 0:
                    let cost = Int.random(in: 0...limits.cost, using: &dice)
                    cache.trim(toCost: cost)
                    model.trim(to: cost)
                case 1:
                    cache.removeAll(ofSourceOf: pictures[place])
                    model.remove(place)
                case 2..<20:
                    let cost = Int.random(in: 0...12, using: &dice)
                    cache.insert(pictures[place], cost: cost)
                    model.insert(place, cost: cost)
                default:
                    let isHit = cache.picture(for: pictures[place]) != nil
                    #expect(isHit == model.use(place), "seed \(dice.seed), \(round), \(step)")
                }
                let statistics = cache.statistics
                let isSame =
                    statistics.cost == model.cost && statistics.count == model.count
                #expect(isSame, "seed \(dice.seed), \(round), \(step)")
                if !isSame { return }
            }
        }
    }

    @Test("takes as many steps for an operation when it holds a hundred thousand as a hundred")
    func steps() throws {
        func stepsOfOne(holding count: Int) throws -> [Double] {
            let pictures = try Self.requests(2 * count)
            let cache = PictureCache<String>(costLimit: count)
            func steps(_ body: (PictureRequest) -> Void, _ some: ArraySlice<PictureRequest>)
                -> Double
            {
                let before = cache.steps
                for picture in some { body(picture) }
                return Double(cache.steps - before) / Double(some.count)
            }
            let (first, second) = (pictures[..<count], pictures[count...])
            return [
                steps({ cache.insert($0) }, first),
                steps({ _ = cache.picture(for: $0) }, first),
                // Each lets another one leave.
                steps({ cache.insert($0) }, second),
                steps({ _ = cache.picture(for: $0) }, first),
                steps({ cache.removeAll(ofSourceOf: $0) }, second),
            ]
        }
        let few = try stepsOfOne(holding: 100)
        let many = try stepsOfOne(holding: SeededGenerator.isSoaking ? 100_000 : 3_000)
        for (few, many) in zip(few, many) {
            #expect(many <= few + 0.5)
            #expect(many <= 10)
        }
    }
}
