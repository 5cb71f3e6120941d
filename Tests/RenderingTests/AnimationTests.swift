import GearboxURL
import PictureSupport
import Rendering
import Store
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
