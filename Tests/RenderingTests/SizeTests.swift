import GearboxURL
import PictureSupport
import Rendering
import Store
import TestSupport
import Testing

@Suite("The size of a variant")
struct SizeTests {
    @Test("Is geometry's, whatever the source, the mode and the formats on both sides")
    func random() throws {
        let bench = try Bench()
        var generator = SeededGenerator(seed: 20_260_117)
        let rounds = SeededGenerator.isSoaking ? 2000 : 150
        let sources = rounds / 5
        var script = ""
        var sizes: [(file: String, size: Size)] = []
        for index in 0..<sources {
            let isBig = index % 10 == 0
            let limit = isBig ? 1700 : [3, 40, 400][index % 3]
            let width = Int.random(in: 1...limit, using: &generator)
            let height =
                isBig ? 1_100_000 / width + 1 : Int.random(in: 1...limit, using: &generator)
            let size = Size(width: width, height: min(height, 16000))
            let format = ["jpeg", "png", "webp", "gif", "tiff"][isBig ? index / 10 % 2 : index % 5]
            let mode = index % 4 == 3 ? "L" : "RGB"
            script +=
                "Image.new('\(mode)', (\(size.width), \(size.height)), 90)"
                + ".save('\(index)', '\(format)')\n"
            sizes.append(("\(index)", size))
        }
        try Pillow.run(script, in: bench.scratch)
        var made: [RenderedVariant] = []
        for (file, source) in sizes {
            var wanted: [WantedVariant] = []
            for _ in 0..<5 {
                let mode = Mode.allCases.randomElement(using: &generator) ?? .x
                var box = Size(
                    width: Int.random(in: 1...700, using: &generator),
                    height: Int.random(in: 1...700, using: &generator)
                )
                if mode == .x, Bool.random(using: &generator) { box.width = 0 }
                let enlarge = Int.random(in: 0..<4, using: &generator) == 0
                let axis = Axis(
                    horizontal: Int.random(in: 0...10, using: &generator),
                    vertical: Int.random(in: 0...10, using: &generator)
                )
                let format: OutputFormat? =
                    [nil, .jpg, .png, .webp].randomElement(
                        using: &generator
                    ) ?? nil
                let variant = WantedVariant.made(
                    mode,
                    box.width,
                    box.height,
                    format: format,
                    enlarge: enlarge,
                    axis: axis
                )
                if !wanted.contains(variant) { wanted.append(variant) }
            }
            let result = try bench.render(bench.scratch.file(file), wanted)
            #expect(result.facts.size == source)
            #expect(result.failures.isEmpty, "seed \(generator.seed)")
            #expect(result.variants.count == wanted.count)
            for variant in wanted {
                let directives = try #require(variant.directives)
                let expected = Geometry.placement(
                    source: source,
                    mode: directives.mode,
                    box: directives.box,
                    enlarge: directives.enlarge,
                    axis: directives.axis
                ).size
                let comment: Comment = "\(source) \(directives), seed \(generator.seed)"
                #expect(result.variant(variant)?.size == expected, comment)
            }
            made += result.variants
        }
        for (variant, reading) in zip(made, try bench.read(made)) {
            let comment: Comment = "\(variant.key), seed \(generator.seed)"
            #expect(
                [reading.width, reading.height] == [variant.size.width, variant.size.height],
                comment
            )
        }
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
