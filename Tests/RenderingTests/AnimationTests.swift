import GearboxURL
import PictureSupport
import Rendering
import Store
import TestSupport
import Testing

@Suite("Animations")
struct AnimationTests {
    /// Three frames, each a colour on the left and grey on the right, 61x41.
    static let frames = """
        frames = [halves('RGB', (61, 41), c, (99, 99, 99))
            for c in ((250, 0, 0), (0, 250, 0), (0, 0, 250))]
        """

    static func save(_ format: String) -> String {
        frames + "\n"
            + "frames[0].save('a', '\(format)', save_all=True, append_images=frames[1:], "
            + "duration=[50, 500, 0], loop=0, lossless=True)"
    }

    @Test("By default the first frame is rendered", arguments: ["gif", "webp"])
    func still(format: String) throws {
        let bench = try Bench()
        let path = try bench.draw(Self.save(format), "a")
        let wanted = WantedVariant.made(.x, 30, 30, quality: 100)
        let result = try bench.render(path, [wanted, .original])
        #expect(result.facts.frames == 3)
        #expect(result.facts.size == Size(width: 61, height: 41))
        let variant = try #require(result.variant(wanted))
        #expect(variant.format == .webp)
        #expect(!variant.isAnimated)
        let reading = try bench.read(variant)
        #expect([reading.width, reading.height, reading.frames] == [30, 20, 1])
        #expect(isNear(reading.colour(.left), [250, 0, 0, 255], within: 8))
        // The original's own bytes are the whole animation, and never stand in for a still.
        let original = try #require(result.variant(.original))
        #expect(original.isAnimated)
        #expect(!original.isFullSize)
    }

    @Test(
        "Kept ones are scaled and cut frame by frame, with their delays",
        arguments: ["gif", "webp"],
        [OutputFormat.webp, .gif]
    )
    func kept(format: String, output: OutputFormat) throws {
        var settings = RenderSettings()
        settings.animation = .keep
        let bench = try Bench(settings)
        let path = try bench.draw(Self.save(format), "a")
        let fit = WantedVariant.made(.x, 30, 30, quality: 100, format: output)
        let crop = WantedVariant.made(
            .y,
            20,
            20,
            quality: 100,
            format: output,
            axis: Axis(horizontal: 0, vertical: 5)
        )
        let whole = WantedVariant.made(quality: 100, format: output)
        let result = try bench.render(path, [fit, crop, whole])
        let sizes = [(fit, [30, 20]), (crop, [20, 20]), (whole, [61, 41])]
        for (wanted, size) in sizes {
            let variant = try #require(result.variant(wanted))
            #expect(variant.isAnimated)
            #expect(!variant.isFullSize)
            let reading = try bench.read(variant)
            #expect([reading.width, reading.height] == size)
            #expect(reading.frames == 3)
            let colours = [[250, 0, 0, 255], [0, 250, 0, 255], [0, 0, 250, 255]]
            for (index, colour) in colours.enumerated() {
                let read = reading.colours[index][Place.left.rawValue]
                #expect(isNear(read, colour, within: 40), "\(read) in frame \(index)")
            }
            if output == .gif { #expect(reading.delays == [50, 500, 100]) }
            #expect(reading.loop == 0)
        }
    }

    @Test("A still and the animation of one source come from one decode")
    func both() throws {
        let bench = try Bench()
        let path = try bench.draw(Self.save("gif"), "a")
        let still = WantedVariant.made(.x, 30, 30)
        let kept = WantedVariant.made(.x, 30, 30, keepsAnimation: true)
        let result = try bench.render(path, [still, kept])
        let readings = try bench.read([
            #require(result.variant(still)), #require(result.variant(kept)),
        ])
        #expect(readings.map(\.format) == ["WEBP", "WEBP"])
        #expect(readings.map(\.frames) == [1, 3])
        #expect(readings.map(\.height) == [20, 20])
        #expect(isNear(readings[0].colour(.left), [250, 0, 0, 255], within: 8))
    }

    @Test("Every frame of a WebP is turned as its orientation says")
    func orientation() throws {
        let bench = try Bench()
        let path = try bench.draw(
            Self.frames + "\n" + """
                e = Image.Exif(); e[0x112] = 6
                frames[0].save('a', 'webp', save_all=True, append_images=frames[1:], exif=e,
                    lossless=True)
                """,
            "a"
        )
        let still = WantedVariant.made(.x, 30, 30)
        let kept = WantedVariant.made(.x, 30, 30, keepsAnimation: true)
        let result = try bench.render(path, [still, kept])
        #expect(result.facts.size == Size(width: 41, height: 61))
        let readings = try bench.read([
            #require(result.variant(still)), #require(result.variant(kept)),
        ])
        for reading in readings {
            #expect([reading.width, reading.height] == [20, 30])
            // What was on the left is now at the top.
            #expect(isNear(reading.colour(.top), [250, 0, 0, 255], within: 12))
            #expect(isNear(reading.colour(.bottom), [99, 99, 99, 255], within: 12))
        }
        #expect(readings.map(\.frames) == [1, 3])
    }

    /// Animations whose frames say only what changes, with clear and half clear parts.
    static let composed: [String: String] = [
        "gif": """
        mixed = ([1] * 10 + [0] * 10 + [2] * 10 + [3] * 10) * 30
        open('a', 'wb').write(gif(40, 30, [frame(0, 0, 40, 30, mixed, delay=5, disposal=2, clear=0),
            frame(5, 4, 20, 15, ([2] * 12 + [0] * 8) * 15, delay=50, disposal=1, clear=0),
            frame(20, 10, 20, 20, 3, delay=9, disposal=3),
            frame(0, 15, 40, 15, ([0] * 14 + [1] * 26) * 15, delay=2, disposal=1, clear=0)], loop=4))
        """,
        "webp": """
        frames = [Image.new('RGBA', (121, 91), (0, 0, 0, 0)) for _ in range(4)]
        for i, image in enumerate(frames):
            image.paste((250, 60 * i, 60, 255), (17 * i, 15, 27 * i + 29, 60))
            image.paste((20, 250, 60, 120), (9, 54, 36 + 15 * i, 84))
        frames[0].save('a', 'webp', save_all=True, append_images=frames[1:], lossless=True,
            duration=[50, 500, 90, 20], loop=4, minimize_size=True)
        """,
        "orientation": """
        e = Image.Exif(); e[0x112] = 8
        frames = [photo((121, 91)) for _ in range(4)]
        for i, image in enumerate(frames): image.paste((250, 0, 0), (20 * i, 0, 20 * i + 20, 30))
        frames[0].save('a', 'webp', save_all=True, append_images=frames[1:], lossless=True,
            duration=[50, 500, 90, 20], loop=4, exif=e)
        """,
    ]

    @Test(
        "Frame by frame it is what an independent reader shows, scaled, in every mode",
        arguments: composed.keys.sorted(),
        [OutputFormat.webp, .gif]
    )
    func frameByFrame(name: String, output: OutputFormat) throws {
        var settings = RenderSettings()
        settings.animation = .keep
        let bench = try Bench(settings)
        let path = try bench.draw(Pillow.gifWriter + #require(Self.composed[name]), "a")
        let wanted: [WantedVariant] = [
            .made(.x, 30, 30, quality: 100, format: output),
            .made(.x, 200, 0, quality: 100, format: output, enlarge: true),
            .made(.y, 20, 20, quality: 100, format: output),
            .made(.y, 12, 25, quality: 100, format: output, axis: Axis(horizontal: 4, vertical: 9)),
            .made(.z, 25, 25, quality: 100, format: output),
            .made(quality: 100, format: output),
        ]
        let result = try bench.render(path, wanted)
        #expect(result.facts.frames == 4)
        #expect(result.failures.isEmpty)
        var script = """
            def shown(image):
                ground = Image.new('RGBA', image.size, (255, 255, 255, 255))
                ground.alpha_composite(image); return ground.convert('RGB')
            def grid(image): return image.resize(tuple(min(9, side) for side in image.size), Image.BOX)
            def far(a, b):
                bands = [band.histogram() for band in ImageChops.difference(a, b).split()]
                return max(sum(v * n for v, n in enumerate(band)) / sum(band) for band in bands)
            source = Image.open('a')
            turned = source.getexif().get(0x112) == 8

            """
        for variant in wanted {
            let directives = try #require(variant.directives)
            let placement = Geometry.placement(
                source: result.facts.size,
                mode: directives.mode,
                box: directives.box,
                enlarge: directives.enlarge,
                axis: directives.axis
            )
            let made = try #require(result.variant(variant))
            #expect(made.isAnimated)
            #expect(made.size == placement.size)
            script += """
                made = Image.open('\(bench.scratch.file(made.file))')
                assert made.size == (\(made.size.width), \(made.size.height)), made.size
                delays, light, colour = [], 0, 0
                for index in range(made.n_frames):
                    source.seek(index); made.seek(index); made.load()
                    delays.append(made.info['duration'])
                    frame = source.convert('RGBA')
                    if turned: frame = frame.transpose(Image.ROTATE_90)
                    frame = frame.convert('RGBa').resize((\(placement.scaled.width),
                        \(placement.scaled.height)), Image.LANCZOS).convert('RGBA')
                    x, y = \(placement.crop?.x ?? 0), \(placement.crop?.y ?? 0)
                    frame = frame.crop((x, y, x + \(made.size.width), y + \(made.size.height)))
                    pair = [grid(shown(frame)), grid(shown(made.convert('RGBA')))]
                    colour = max(colour, far(*pair))
                    light = max(light, far(*(image.convert('L') for image in pair)))
                print(made.n_frames, made.info.get('loop'), round(light), round(colour), *delays)

                """
        }
        let lines = try Pillow.run(script, in: bench.scratch).split(separator: "\n")
        #expect(lines.count == wanted.count)
        for (variant, line) in zip(wanted, lines) {
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            #expect(numbers[0] == 4, "\(variant.key)")
            // A GIF has an alpha of one bit, and a WebP half as many colours as pixels on a side.
            #expect(numbers[2] <= (output == .gif ? 24 : 6), "\(variant.key): \(line)")
            #expect(numbers[3] <= 40, "\(variant.key): \(line)")
            #expect(Array(numbers[4...]) == [50, 500, 90, 20], "\(variant.key): \(line)")
        }
    }

    @Test("A frame that is larger than its canvas is clipped or refused, not a crash")
    func oversizedFrame() throws {
        let bench = try Bench()
        let path = try bench.draw(
            """
            Image.new('P', (12, 12), 1).save('b.gif', save_all=True,
                append_images=[Image.new('P', (12, 12), 2)])
            data = bytearray(open('b.gif', 'rb').read())
            data[6:10] = struct.pack('<HH', 10, 10)
            open('a', 'wb').write(data)
            """,
            "a"
        )
        let wanted: [WantedVariant] = [.made(.x, 5, 5), .made(.x, 5, 5, keepsAnimation: true)]
        do {
            let result = try bench.render(path, wanted)
            for variant in result.variants { #expect(variant.size == Size(width: 5, height: 5)) }
        } catch let error as RenderError {
            #expect(error.isPermanent)
        }
    }
}
