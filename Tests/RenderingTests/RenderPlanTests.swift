import GearboxURL
import Rendering
import Store
import Testing

@Suite("A render plan")
struct RenderPlanTests {
    static let photo = SourceFacts(format: .jpeg, size: Size(width: 4000, height: 3000))

    func plan(
        _ wanted: [WantedVariant],
        of facts: SourceFacts = RenderPlanTests.photo,
        _ settings: RenderSettings = RenderSettings()
    ) -> RenderPlan {
        RenderPlan(facts: facts, wanted: wanted, settings: settings)
    }

    @Test("Equal rasters are made once, and each is encoded once per format and quality")
    func sharing() throws {
        let plan = plan([
            .made(.x, 512, 512, quality: 69), .made(.x, 512, 512, quality: 89),
            .made(.x, 512, 384, quality: 89), .made(.x, 0, 384, quality: 89),
            .made(.z, 512, 384, quality: 89), .made(.x, 512, 512, quality: 89, format: .webp),
            .made(.x, 512, 512, quality: 69, format: .png),
            .made(.x, 512, 512, quality: 89, format: .png),
        ])
        let raster = try #require(plan.rasters.first)
        #expect(plan.rasters.count == 1)
        #expect(raster.placement == Placement(scaled: Size(width: 512, height: 384)))
        let encodes = raster.encodes.map { "\($0.format) \($0.quality ?? 0)" }
        #expect(encodes == ["jpg 69", "jpg 89", "webp 89", "png 0"])
        #expect(raster.encodes.map { $0.variants.count } == [1, 4, 1, 2])
        // A lossless file still is what was asked for.
        #expect(raster.encodes.last?.variants.map(\.quality) == [69, 89])
    }

    @Test("Interlacing makes another file where the format knows it")
    func interlace() {
        for (format, files) in [
            (OutputFormat.jpg, 2), (.png, 2), (.webp, 1), (.gif, 2), (.avif, 1),
        ] {
            let plan = plan([
                .made(.x, 90, 90, format: format),
                .made(.x, 90, 90, format: format, interlace: true),
            ])
            #expect(plan.rasters.map { $0.encodes.count } == [files], "\(format)")
        }
    }

    @Test(
        "The JPEG decoder makes the picture smaller where enough is left",
        arguments: [(4096, 1), (2000, 1), (1142, 2), (1024, 2), (400, 4), (166, 8), (30, 8)]
    )
    func decoderShrink(side: Int, shrink: Int) {
        #expect(plan([.made(.x, side, side)]).decode.shrink == shrink)
        #expect(plan([.made(.x, 30, 30), .made(.x, side, side)]).decode.shrink == shrink)
    }

    @Test("Small pictures, enlargements and the whole source are decoded as they are")
    func noShrink() {
        let small = SourceFacts(format: .jpeg, size: Size(width: 900, height: 900))
        #expect(plan([.made(.x, 30, 30)], of: small).decode == RenderPlan.Decode())
        for large in [WantedVariant.made(), .made(.y, 4096, 4096, enlarge: true)] {
            #expect(plan([.made(.x, 30, 30), large]).decode == RenderPlan.Decode())
        }
    }

    @Test("What has no decoder that shrinks is scaled while it is read, where that saves enough")
    func scaledDecode() {
        let drawing = SourceFacts(format: .png, size: Size(width: 9000, height: 6000))
        let decode = plan([.made(.x, 512, 512), .made(.y, 400, 400)], of: drawing).decode
        #expect(decode.shrink == 1)
        #expect(decode.size == Size(width: 780, height: 520))
        #expect(plan([.made(.x, 6000, 0, enlarge: true)], of: drawing).decode.size == nil)
    }

    @Test("A small raster is cut from one with enough room, else from the decoded picture")
    func parents() {
        let plan = plan([
            .made(.x, 1024, 1024), .made(.x, 788, 788), .made(.x, 787, 787), .made(.x, 180, 180),
            .made(.x, 30, 30),
        ])
        #expect(plan.rasters.map(\.placement.scaled.width) == [1024, 788, 787, 180, 30])
        #expect(plan.rasters.map(\.parent) == [nil, nil, 0, 2, 3])
    }

    @Test("A crop of a scaling that is made anyway costs nothing")
    func freeCrops() throws {
        let plan = plan([
            .made(.y, 1024, 1024), .made(.y, 512, 512), .made(.z, 512, 512), .made(.y, 500, 500),
        ])
        let index = try #require(
            plan.rasters.firstIndex { $0.placement.size == Size(width: 512, height: 512) }
        )
        let parent = try #require(plan.rasters[index].parent)
        #expect(plan.rasters[parent].placement == Placement(scaled: Size(width: 683, height: 512)))
    }

    @Test("A crop is cut from a crop only where its window lies inside")
    func cropParents() {
        let plan = plan([
            .made(.y, 600, 600), .made(.y, 300, 300), .made(.y, 100, 300), .made(.y, 300, 100),
            .made(.y, 300, 300, axis: Axis(horizontal: 0, vertical: 5)),
        ])
        for raster in plan.rasters {
            let box = raster.placement.size
            let isLeft = raster.placement.crop?.x == 0
            let parent = raster.parent.map { plan.rasters[$0].placement.size }
            let expected: Size? =
                switch (box.width, box.height) {
                case (300, 300) where !isLeft: Size(width: 600, height: 600)
                case (100, 300): Size(width: 300, height: 300)
                default: nil
                }
            #expect(parent == expected, "\(raster.placement)")
        }
    }

    @Test("A parent is never larger than the source and always comes first")
    func enlargedParents() {
        let icon = SourceFacts(format: .png, size: Size(width: 200, height: 200))
        let plan = plan(
            [.made(.x, 900, 900, enlarge: true), .made(.x, 100, 100), .made(.x, 50, 50)],
            of: icon
        )
        #expect(plan.rasters.map(\.parent) == [nil, nil, 1])
    }

    static let animation = SourceFacts(
        format: .gif,
        size: Size(width: 100, height: 50),
        hasAlpha: true,
        frames: 4
    )

    @Test(
        "Without a type the source's format decides",
        arguments: [
            (FileFormat.jpeg, OutputFormat.jpg), (.png, .png), (.webp, .webp), (.gif, .png),
            (.tiff, .webp), (.heif, .webp), (.avif, .webp), (.svg, .webp),
        ]
    )
    func standardFormat(source: FileFormat, output: OutputFormat) {
        let facts = SourceFacts(format: source, size: Size(width: 100, height: 50))
        let plan = plan([.made(.x, 50, 50)], of: facts)
        #expect(plan.rasters.first?.encodes.map(\.format) == [output])
    }

    @Test("An animation is kept by the settings or by the URL, where the format can")
    func keeping() {
        func outputs(_ wanted: WantedVariant, _ animation: RenderSettings.Animation) -> [String] {
            plan([wanted], of: Self.animation, RenderSettings(animation: animation)).rasters
                .flatMap { raster in
                    raster.encodes.map { "\($0.format) \(raster.isAnimated ? "kept" : "still")" }
                }
        }
        #expect(outputs(.made(.x, 50, 50), .static) == ["webp still"])
        #expect(outputs(.made(.x, 50, 50), .keep) == ["webp kept"])
        #expect(outputs(.made(.x, 50, 50, keepsAnimation: true), .static) == ["webp kept"])
        #expect(outputs(.made(.y, 50, 50, keepsAnimation: true), .static) == ["webp still"])
        #expect(outputs(.made(.x, 50, 50, format: .gif), .keep) == ["gif kept"])
        #expect(outputs(.made(.x, 50, 50, format: .jpg), .keep) == ["jpg still"])
        #expect(outputs(.made(.x, 50, 50, format: .gif), .static) == ["gif still"])
    }

    @Test("A kept animation with more pixels than allowed fails alone")
    func rollLimit() {
        var settings = RenderSettings()
        settings.limits.pixels = 15000
        let kept = WantedVariant.made(.x, 50, 50, keepsAnimation: true)
        let plan = plan([kept, .made(.x, 50, 50)], of: Self.animation, settings)
        #expect(plan.failures.map(\.key) == [kept.key])
        #expect(plan.failures.map(\.error.code) == [.tooManyPixels])
        #expect(plan.rasters.count == 1)
    }

    @Test("The same job in another order has the same rasters")
    func order() {
        let wanted: [WantedVariant] = [
            .made(.x, 512, 512), .made(.y, 512, 512), .made(.z, 512, 512), .made(.y, 300, 90),
            .made(.y, 300, 90, axis: Axis(horizontal: 0, vertical: 0)), .made(),
        ]
        let straight = plan(wanted).rasters.map(\.placement)
        #expect(plan(wanted.reversed()).rasters.map(\.placement) == straight)
    }
}
