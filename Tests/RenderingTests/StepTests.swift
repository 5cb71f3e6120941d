import GearboxURL
import Imaging
import PictureSupport
import Rendering
import Store
import TestSupport
import Testing

@Suite("The steps of a rendering")
struct StepTests {
    private static func step(_ name: String, _ values: Double...) throws -> Step {
        Step(try #require(StepKind.named(name)), values)
    }

    private func bench(_ steps: [Step]) throws -> Bench {
        try Bench(RenderSettings(steps: steps))
    }

    private func samples(_ variant: RenderedVariant?, in bench: Bench) throws -> [UInt8] {
        let file = bench.scratch.file(try #require(variant).file)
        return try Image.open(file, loader: .png).standardColour().samples()
    }

    @Test("act on each raster alone: what is cut from another knows nothing of them")
    func parents() throws {
        let steps = [
            try Self.step("blur", 3), try Self.step("adjust", 1, 1.5, 0.5),
            try Self.step("sharpen", 1, 2),
        ]
        let (plain, stepped) = try (Bench(), bench(steps))
        let wanted: [WantedVariant] = [
            .made(), .made(.x, 240, 240), .made(.y, 100, 60), .made(.x, 50, 50),
        ]
        let script = "texture((500, 300)).save('a.png')"
        let before = try plain.render(plain.draw(script, "a.png"), wanted)
        let after = try stepped.render(stepped.draw(script, "a.png"), wanted)
        let plan = RenderPlan(facts: after.facts, wanted: wanted, settings: RenderSettings())
        #expect(plan.rasters.contains { $0.parent != nil })
        for variant in wanted {
            let file = plain.scratch.file(try #require(before.variant(variant)).file)
            let image = try Image.open(file, loader: .png).standardColour().inMemory()
            let expected = try image.blurred(sigma: 3).inMemory()
                .adjusted(brightness: 1, contrast: 1.5, saturation: 0.5).inMemory()
                .sharpened(sigma: 1, amount: 2).samples()
            #expect(try samples(after.variant(variant), in: stepped) == expected)
            #expect(after.variant(variant)?.size == before.variant(variant)?.size)
            #expect(after.variant(variant)?.isFullSize == before.variant(variant)?.isFullSize)
        }
    }

    @Test("act in the order that they are given in")
    func order() throws {
        let (blur, adjust) = try (Self.step("blur", 2), Self.step("adjust", 1, 10, 1))
        let made = try [[blur, adjust], [adjust, blur]].map { steps in
            let bench = try bench(steps)
            let path = try bench.draw("texture((60, 40)).save('a.png')", "a.png")
            let wanted = WantedVariant.made(.x, 60, 60)
            return try samples(bench.render(path, [wanted]).variant(wanted), in: bench)
        }
        // Contrast last leaves nearly black and white alone, a blur last nearly everything else.
        let extremes = made.map { samples in samples.count { $0 == 0 || $0 == 255 } }
        #expect(extremes[0] > 2 * extremes[1], "\(extremes)")
    }

    @Test("leave the original's own bytes alone")
    func original() throws {
        let bench = try bench([Self.step("grayscale")])
        let path = try bench.draw("texture((60, 40)).save('a.jpg')", "a.jpg")
        let result = try bench.render(path, [.original, .made()])
        let original = try #require(result.variant(.original))
        #expect(try bench.scratch.bytes(of: original.file) == bench.scratch.bytes(of: "a.jpg"))
        #expect(try bench.read(#require(result.variant(.made()))).mode == "L")
    }

    @Test("act on each frame of an animation, and on nothing across them")
    func frames() throws {
        let bench = try bench([
            Self.step("blur", 8), Self.step("sharpen", 8, 4), Self.step("adjust", 0.5, 1, 1),
        ])
        let path = try bench.draw(
            """
            colours = [(250, 0, 0), (0, 0, 250), (20, 240, 20)]
            first, *rest = [Image.new('RGB', (40, 40), colour) for colour in colours]
            first.save('a.gif', save_all=True, append_images=rest, duration=[90, 120, 200])
            """,
            "a.gif"
        )
        let wanted = WantedVariant.made(
            .x,
            40,
            40,
            quality: 100,
            format: .webp,
            keepsAnimation: true
        )
        let reading = try bench.read(#require(try bench.render(path, [wanted]).variant(wanted)))
        #expect(reading.frames == 3)
        #expect(reading.delays == [90, 120, 200])
        for (frame, colour) in zip(reading.colours, [[125, 0, 0], [0, 0, 125], [10, 120, 10]]) {
            for place in frame { #expect(isNear(place, colour + [255], within: 6)) }
        }
    }

    @Test("keep grey in one band, and alpha, in every format")
    func layouts() throws {
        let bench = try bench([
            Self.step("sharpen", 0.6, 1), Self.step("blur", 1), Self.step("adjust", 1.1, 1.1, 1.1),
        ])
        let formats: [OutputFormat] = [.jpg, .png, .webp, .gif]
        for (mode, modes) in [
            ("L", ["L", "L", "RGB", "P"]), ("LA", ["L", "LA", "RGBA", "P"]),
            ("RGB", ["RGB", "RGB", "RGB", "P"]), ("RGBA", ["RGB", "RGBA", "RGBA", "P"]),
        ] {
            let path = try bench.draw(
                """
                image = photo((80, 40), '\(mode)')
                if 'A' in '\(mode)': image.putalpha(Image.linear_gradient('L').resize((80, 40)))
                image.save('a.png')
                """,
                "a.png"
            )
            let wanted = formats.map { WantedVariant.made(.x, 40, 40, format: $0) }
            let result = try bench.render(path, wanted)
            let found = try bench.read(wanted.compactMap(result.variant)).map(\.mode)
            #expect(zip(found, modes).allSatisfy { $0 == $1 || $1 == "P" }, "\(mode): \(found)")
        }
    }

    @Test("make grey of colours, with their alpha, on the configured background in a JPEG")
    func grayscale() throws {
        var settings = RenderSettings(steps: [try Self.step("grayscale")])
        settings.background = RenderSettings.Colour(red: 250, green: 0, blue: 0)
        let bench = try Bench(settings)
        let path = try bench.draw(
            "halves('RGBA', (80, 40), (0, 255, 0, 255), (0, 0, 250, 0)).save('a.png')",
            "a.png"
        )
        let wanted = [OutputFormat.png, .webp, .jpg, .gif].map {
            WantedVariant.made(.x, 80, 80, quality: 100, format: $0)
        }
        let result = try bench.render(path, wanted)
        let readings = try bench.read(wanted.compactMap(result.variant))
        #expect(readings[0].mode == "LA")
        for reading in readings {
            #expect(isNear(reading.colour(.left), [182, 182, 182, 255], within: 6))
        }
        #expect(readings.map { $0.colour(.right)[3] } == [0, 0, 255, 0])
        #expect(isNear(readings[2].colour(.right), [250, 0, 0, 255], within: 6))
    }

    @Test("stop when the time is up")
    func deadline() throws {
        var settings = RenderSettings(steps: Array(repeating: try Self.step("blur", 50), count: 20))
        settings.limits.seconds = 0.3
        let bench = try Bench(settings)
        let path = try bench.draw("photo((1500, 1500)).save('a.png')", "a.png")
        let start = ContinuousClock.now
        let error = #expect(throws: RenderError.self) { try bench.render(path, [.made()]) }
        #expect(error?.code == .timedOut)
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test("have names that tell all of their parameters")
    func names() throws {
        let steps = [
            try Self.step("sharpen", 0.6, 1), try Self.step("grayscale"),
            try Self.step("adjust", 1, 1.25, 0),
        ]
        #expect(
            steps.text == "sharpen(sigma=0.6,amount=1) grayscale"
                + " adjust(brightness=1,contrast=1.25,saturation=0)"
        )
        #expect([Step]().text == "")
        #expect(Set(StepKind.all.map(\.name)).count == StepKind.all.count)
        for parameter in StepKind.all.flatMap(\.parameters) {
            #expect(parameter.standard.map(parameter.range.contains) != false)
        }
    }
}
