import GearboxURL
import PictureSupport
import Rendering
import Store
import TestSupport
import Testing

@Suite("The size of a variant")
struct SizeTests {
    /// A source in three formats, and what is wanted of it.
    private struct Case {
        var stored: Size
        var orientation: Int
        var wanted: [WantedVariant]

        var isTurned: Bool { orientation >= 5 }
        var upright: Size {
            isTurned ? Size(width: stored.height, height: stored.width) : stored
        }

        init(_ index: Int, _ generator: inout SeededGenerator) {
            // Every eighth is large enough for a JPEG decoder to shrink it.
            let isBig = index % 8 == 0
            let limit = isBig ? 1700 : [3, 40, 400][index % 3]
            let width = Int.random(in: 1...limit, using: &generator)
            let height =
                isBig ? 1_100_000 / width + 1 : Int.random(in: 1...limit, using: &generator)
            stored = Size(width: width, height: min(height, 16000))
            orientation = Int.random(in: 1...8, using: &generator)
            wanted = []
            while wanted.count < 4 {
                let mode = Mode.allCases.randomElement(using: &generator) ?? .x
                var box = Size(
                    width: Int.random(in: 1...700, using: &generator),
                    height: Int.random(in: 1...700, using: &generator)
                )
                if mode == .x, Bool.random(using: &generator) { box.width = 0 }
                let variant = WantedVariant.made(
                    mode,
                    box.width,
                    box.height,
                    format: [nil, .jpg, .png, .webp].randomElement(using: &generator) ?? nil,
                    enlarge: Int.random(in: 0..<4, using: &generator) == 0,
                    axis: Axis(
                        horizontal: Int.random(in: 0...10, using: &generator),
                        vertical: Int.random(in: 0...10, using: &generator)
                    )
                )
                if !wanted.contains(variant) { wanted.append(variant) }
            }
        }
    }

    /// The sizes that the rules give, as they are written down in Python for the end-to-end tests.
    private func ruledSizes(_ cases: [Case], _ bench: Bench) throws -> [[Int]] {
        var lines = ""
        for item in cases {
            for directives in item.wanted.compactMap(\.directives) {
                let box = directives.box
                lines +=
                    "((\(item.upright.width), \(item.upright.height)), '\(directives.mode?.rawValue ?? "")', "
                    + "(\(box.width), \(box.height)), \(directives.enlarge ? "True" : "False")),\n"
            }
        }
        return try longScript(
            """
            sys.path.insert(0, sys.argv[1] + '/../../Tests/EndToEndTests')
            from rules.geometry import placement
            for case in [\(lines)]: print(*placement(*case).size)
            """,
            bench
        ).split(separator: "\n").map { $0.split(separator: " ").compactMap { Int($0) } }
    }

    @Test("Is the rules', whatever the source, its turn, the mode and the box, from each format")
    func random() throws {
        let bench = try Bench()
        var generator = SeededGenerator(seed: 20_260_117)
        let cases = (0..<(SeededGenerator.isSoaking ? 500 : 24)).map { Case($0, &generator) }
        let formats = ["jpeg", "png", "webp"]
        var script = ""
        for (index, item) in cases.enumerated() {
            script += """
                e = Image.Exif(); e[0x112] = \(item.orientation)
                image = Image.new('\(index % 4 == 3 ? "L" : "RGB")',
                    (\(item.stored.width), \(item.stored.height)), 90)
                for format in ('jpeg', 'png', 'webp'):
                    image.save('\(index).' + format, format, exif=e)

                """
        }
        try longScript(script, bench)
        let ruled = try ruledSizes(cases, bench)
        try #require(ruled.count == 4 * cases.count)
        var made: [RenderedVariant] = []
        for (index, item) in cases.enumerated() {
            for format in formats {
                let comment: Comment = "\(item) as \(format), seed \(generator.seed)"
                let result = try bench.render(
                    bench.scratch.file("\(index).\(format)"),
                    item.wanted
                )
                #expect(result.facts.size == item.upright, comment)
                #expect(result.failures.isEmpty, comment)
                for (place, wanted) in item.wanted.enumerated() {
                    let size = result.variant(wanted)?.size
                    #expect(
                        size.map { [$0.width, $0.height] } == ruled[4 * index + place],
                        comment
                    )
                }
                made += result.variants
            }
        }
        #expect(made.count == 12 * cases.count)
        for (variant, reading) in zip(made, try bench.read(made)) {
            let comment: Comment = "\(variant.key), seed \(generator.seed)"
            #expect(
                [reading.width, reading.height] == [variant.size.width, variant.size.height],
                comment
            )
        }
    }

    /// Runs a script that is too long for a command line.
    @discardableResult
    private func longScript(_ script: String, _ bench: Bench) throws -> String {
        _ = try bench.scratch.write(Array(script.utf8), as: "script.py")
        return try Pillow.run("exec(open('script.py').read())", in: bench.scratch)
    }

    @Test("Is the same from JPEG, PNG and WebP, also where the decoder shrinks")
    func formats() throws {
        let bench = try Bench()
        try Pillow.run(
            """
            for size in ((1600, 1000), (1365, 2048), (1203, 907)):
                image = photo(size)
                for format in ('jpeg', 'png', 'webp'): image.save('%dx%d.%s' % (*size, format))
            """,
            in: bench.scratch
        )
        for name in ["1600x1000", "1365x2048", "1203x907"] {
            let wanted = [10, 79, 300, 1024].flatMap { side in
                Mode.allCases.map { WantedVariant.made($0, side, side) }
            }
            let results = try ["jpeg", "png", "webp"].map {
                try bench.render(bench.scratch.file("\(name).\($0)"), wanted)
            }
            for variant in wanted {
                #expect(Set(results.map { $0.variant(variant)?.size }).count == 1)
            }
        }
    }

    @Test("Is right for the shapes that have broken others")
    func extremes() throws {
        let bench = try Bench()
        let cases: [(Size, WantedVariant, Size)] = [
            (Size(width: 180, height: 4), .made(.x, 25, 0), Size(width: 25, height: 1)),
            (Size(width: 858, height: 1), .made(.x, 80, 80), Size(width: 80, height: 1)),
            (Size(width: 1450, height: 2048), .made(.x, 1, 1), Size(width: 1, height: 1)),
            (Size(width: 1600, height: 1000), .made(.x, 10, 0), Size(width: 10, height: 6)),
            (
                Size(width: 1365, height: 2048), .made(.x, 1024, 1024),
                Size(width: 683, height: 1024)
            ),
            (Size(width: 1, height: 100), .made(.y, 30, 30), Size(width: 1, height: 1)),
            (Size(width: 300, height: 3), .made(.y, 30, 30), Size(width: 3, height: 3)),
            (
                Size(width: 300, height: 3), .made(.y, 30, 30, enlarge: true),
                Size(width: 30, height: 30)
            ),
            (
                Size(width: 16000, height: 1), .made(.y, 4096, 4096, enlarge: true),
                Size(width: 4096, height: 4096)
            ),
            (Size(width: 20000, height: 10), .made(), Size(width: 16383, height: 8)),
        ]
        for (source, wanted, expected) in cases {
            let file = "\(source.width)x\(source.height).png"
            let path = try bench.draw(
                "Image.new('L', (\(source.width), \(source.height)), 90).save('\(file)')",
                file
            )
            let result = try bench.render(path, [wanted])
            let variant = try #require(result.variants.first)
            #expect(variant.size == expected, "\(source)")
            let reading = try bench.read(variant)
            #expect([reading.width, reading.height] == [expected.width, expected.height])
        }
    }
}
