import GearboxURL
import PictureSupport
import Rendering
import TestSupport
import Testing

@Suite("Transparency")
struct AlphaTests {
    @Test("Alpha is kept where the format has it and stands on the background where not")
    func alpha() throws {
        var settings = RenderSettings()
        settings.background = RenderSettings.Colour(red: 0, green: 200, blue: 0)
        let bench = try Bench(settings)
        let path = try bench.draw(
            "halves('RGBA', (80, 40), (250, 0, 0, 255), (0, 0, 250, 0)).save('a.png')",
            "a.png"
        )
        let formats: [OutputFormat] = [.png, .webp, .gif, .jpg]
        let wanted = formats.map { WantedVariant.made(.x, 40, 40, quality: 100, format: $0) }
        let result = try bench.render(path, wanted)
        #expect(result.facts.hasAlpha)
        for (format, reading) in zip(formats, try bench.read(wanted.compactMap(result.variant))) {
            #expect(isNear(reading.colour(.left), [250, 0, 0, 255], within: 8), "\(format)")
            let right = reading.colour(.right)
            #expect(format == .jpg ? isNear(right, [0, 200, 0, 255]) : right[3] == 0, "\(format)")
        }
    }

    @Test("A palette with a transparent colour stands on white in a JPEG")
    func palette() throws {
        let bench = try Bench()
        let path = try bench.draw(
            """
            image = Image.new('P', (40, 40), 0); image.putpalette([0, 0, 0, 250, 0, 0])
            image.paste(1, (0, 0, 20, 40)); image.save('a.png', transparency=0)
            """,
            "a.png"
        )
        let reading = try bench.read(
            #require(try bench.render(path, [.made(.x, 20, 20, format: .jpg)]).variants.first)
        )
        #expect(isNear(reading.colour(.right), [255, 255, 255, 255], within: 4))
        #expect(isNear(reading.colour(.left), [250, 0, 0, 255], within: 8))
    }

    @Test(
        "No fringe: what is half clear keeps the colour of its picture, whatever the file",
        arguments: [
            "disc.save('a', 'png')", "disc.save('a', 'webp', lossless=True)",
            "disc.save('a', 'tiff')",
            """
            disc.save('b.png')
            subprocess.run(['vips', 'tiffsave', 'b.png', 'b.tiff', '--premultiply'], check=True)
            os.rename('b.tiff', 'a')
            """,
            """
            disc.save('b.png')
            subprocess.run(['vips', 'cast', 'b.png', 'b.v', 'ushort', '--shift'], check=True)
            subprocess.run(['vips', 'copy', 'b.v', 'c.png', '--interpretation', 'rgb16'], check=True)
            os.rename('c.png', 'a')
            """,
            """
            p = disc.getchannel('A').point(lambda v: v > 127).convert('P')
            p.putpalette([0, 0, 0, 250, 240, 230]); p.save('a', 'png', transparency=0)
            """,
            """
            p = disc.getchannel('A').point(lambda v: v > 127).convert('P')
            p.putpalette([0, 0, 0, 250, 240, 230]); p.save('a', 'gif', transparency=0)
            """,
        ]
    )
    func fringe(save: String) throws {
        let bench = try Bench()
        let path = try bench.draw(
            """
            mask = Image.new('L', (1280, 960), 0)
            ImageDraw.Draw(mask).ellipse((200, 100, 1000, 900), fill=255)
            disc = Image.new('RGBA', mask.size, (0, 0, 0, 0))
            disc.paste((250, 240, 230, 255), mask=mask)
            """ + "\n" + save,
            "a"
        )
        let wanted = [31, 90, 257, 700].map { WantedVariant.made(.x, $0, 0, format: .png) }
        let result = try bench.render(path, wanted)
        #expect(result.facts.hasAlpha)
        let files = try wanted.map { bench.scratch.file(try #require(result.variant($0)).file) }
        let text = try Pillow.run(
            """
            for path in \(files):
                pixels = list(Image.open(path).convert('RGBA').getdata())
                soft = [p for p in pixels if 8 < p[3] < 250]
                print(len(soft), max(max(abs(a - b) for a, b in zip(p, (250, 240, 230)))
                    for p in pixels if p[3] > 8))
            """,
            in: bench.scratch
        )
        for line in text.split(separator: "\n") {
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            #expect(numbers[0] > 10, "edges are soft")
            #expect(numbers[1] <= 6, "the colour is off by \(numbers[1])")
        }
    }
}
