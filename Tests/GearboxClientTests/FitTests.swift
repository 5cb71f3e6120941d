import GearboxClient
import GearboxIndex
import GearboxURL
import PictureSupport
import TestSupport
import Testing

@Suite("A picture that is fitted to the request before gears")
struct FitTests {
    private let scratch: Scratch
    private let index: RelationIndex

    init() throws {
        scratch = try Scratch()
        var sample = SampleIndex()
        sample.sources = [.init(path: "/p.jpg", width: 1000, height: 500)]
        sample.variants = [
            .init(
                key: "/p.jpg?imageView=1&quality=89&thumbnail=180x180",
                source: "/p.jpg",
                mode: "x",
                width: 180,
                height: 90,
                file: "store/x"
            ),
            .init(
                key: "/p.jpg?imageView=1&quality=89&thumbnail=120y63",
                source: "/p.jpg",
                mode: "y",
                width: 120,
                height: 63,
                file: "store/y"
            ),
        ]
        try sample.write(to: scratch.file("index.sqlite"))
        index = try RelationIndex(path: scratch.file("index.sqlite"))
    }

    private func shown(_ query: String, _ fit: Resolution.Fit) throws -> String {
        let answer = try index.resolve("http://h/p.jpg?\(query)", fit: fit)
        let scale = answer.transform?.scale.map { "\($0.width)x\($0.height)" } ?? "-"
        let crop =
            answer.transform?.crop.map { "\($0.width)x\($0.height)+\($0.x)+\($0.y)" } ?? "-"
        let size = answer.size.map { "\($0.width)x\($0.height)" } ?? "-"
        return "\(answer.result) \(answer.file ?? "-") \(size) \(scale) \(crop)"
    }

    @Test("is scaled further, and cut where gears have changed its shape")
    func recipes() throws {
        #expect(try shown("param=150x150", .gear) == "exact store/x 180x90 - -")
        #expect(try shown("param=150x150", .request) == "exact store/x 150x75 150x75 -")
        #expect(try shown("param=180x180", .request) == "exact store/x 180x90 - -")
        // 95y50 is 120y63 on gears: of its 95 pixels at height 50 none is too many.
        #expect(try shown("param=95y50", .gear) == "exact store/y 120x63 - -")
        #expect(try shown("param=95y50", .request) == "exact store/y 95x50 95x50 -")
        // 70y70 is 90y90 on gears, cut from the wider picture at once.
        #expect(try shown("param=70y70", .gear) == "reuse store/x 90x90 - 90x90+45+0")
        #expect(try shown("param=70y70", .request) == "reuse store/x 70x70 140x70 70x70+35+0")
        #expect(
            try shown("param=70y70&axis=0_5", .request)
                == "reuse store/x 70x70 140x70 70x70+0+0"
        )
        #expect(try shown("param=900x900", .request) == "miss - - - -")
    }

    @Test("is never made larger where a limit has kept the picture smaller than the request")
    func limits() throws {
        let source = Size(width: 20_000, height: 10_000)
        let capped = Size(width: 16_383, height: 8_192)
        for mode in Mode.allCases {
            for box in [Size(width: 18_000, height: 18_000), Size(width: 18_000, height: 500)] {
                for stored in [Mode.x, .y, .z] {
                    let recipe = Recipe(
                        from: capped,
                        mode: stored,
                        toRequested: Directives(mode: mode, box: box, quality: 75),
                        of: source
                    )
                    let scaled = recipe.scale ?? capped
                    #expect(scaled.width <= capped.width && scaled.height <= capped.height)
                    #expect(recipe.size.width <= capped.width, "\(mode) \(box) \(stored)")
                }
            }
        }
    }

    @Test("has the size that the request would have had without gears, for random requests")
    func property() throws {
        var dice = SeededGenerator(seed: 6)
        let canonicalizer = Canonicalizer(rules: CanonicalRules())
        for _ in 0..<(SeededGenerator.isSoaking ? 1_000_000 : 5_000) {
            let source = Size(
                width: .random(in: 1...3000, using: &dice),
                height: .random(in: 1...3000, using: &dice)
            )
            let requested = Directives(
                mode: Mode.allCases.randomElement(using: &dice),
                box: Size(
                    width: .random(in: 1...1500, using: &dice),
                    height: .random(in: 1...1500, using: &dice)
                ),
                quality: 75,
                enlarge: .random(using: &dice),
                axis: Axis(
                    horizontal: .random(in: 0...10, using: &dice),
                    vertical: .random(in: 0...10, using: &dice)
                )
            )
            let exact = Self.placement(canonicalizer.onGears(requested), of: source).size
            let recipe = Recipe(
                from: exact,
                mode: requested.mode,
                toRequested: requested,
                of: source
            )
            let scaled = recipe.scale ?? exact
            let crop = recipe.crop ?? Rectangle(x: 0, y: 0, size: scaled)
            let isRight =
                recipe.size == Self.placement(requested, of: source).size
                && crop.size == recipe.size && crop.x >= 0 && crop.y >= 0
                && crop.x + crop.size.width <= scaled.width
                && crop.y + crop.size.height <= scaled.height
                && Self.isOfOneShape(exact, scaled)
            #expect(isRight, "seed \(dice.seed): \(source) \(requested) \(recipe)")
            if !isRight { return }
        }
    }

    /// Whether one is the other scaled, but for what rounding does to each side of both.
    private static func isOfOneShape(_ a: Size, _ b: Size) -> Bool {
        let room = (a.width + a.height + b.width + b.height) / 2 + 2
        let isTiny = [a.width, a.height, b.width, b.height].contains(1)
        return isTiny || abs(a.width * b.height - b.width * a.height) <= room
    }

    private static func placement(_ directives: Directives, of source: Size) -> Placement {
        Geometry.placement(
            source: source,
            mode: directives.mode,
            box: directives.box,
            enlarge: directives.enlarge,
            axis: directives.axis,
            sideLimit: nil
        )
    }
}
