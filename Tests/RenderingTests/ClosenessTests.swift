import GearboxURL
import PictureSupport
import Rendering
import Store
import TestSupport
import Testing

@Suite("Closeness to Lanczos from the full size")
struct ClosenessTests {
    @Test(
        "Rasters from a shrunk decode and from other rasters are close",
        arguments: [("jpeg", 1), ("png", 1), ("jpeg", 3), ("jpeg", 7)]
    )
    func close(format: String, orientation: Int) throws {
        let bench = try Bench()
        // Sides that nothing divides, waves of 30 to 90 pixels, sharp edges.
        let path = try bench.draw(
            """
            image = texture((401, 301)).resize((2003, 1501), Image.BICUBIC)
            ImageDraw.Draw(image).ellipse((300, 300, 900, 1100), fill=(250, 240, 30))
            e = Image.Exif(); e[0x112] = \(orientation)
            stored(image, \(orientation)).save('a', '\(format)', quality=95, exif=e)
            """,
            "a"
        )
        let gears = [30, 60, 90, 120, 180, 256, 315, 512, 720, 1024]
        let sides = SeededGenerator.isSoaking ? gears : [30, 90, 256, 512, 1024]
        for alone in orientation == 1 ? [true, false] : [false] {
            for mode in [Mode.x, .y] {
                let wanted = sides.map { WantedVariant.made(mode, $0, $0, format: .png) }
                let results =
                    try alone
                    ? wanted.map { try bench.render(path, [$0]) } : [bench.render(path, wanted)]
                var script = "whole = ImageOps.exif_transpose(Image.open('a')).convert('RGB')\n"
                for variant in results.flatMap(\.variants) {
                    let wanted = try #require(wanted.first { $0.key == variant.key }?.directives)
                    let place = Geometry.placement(
                        source: Size(width: 2003, height: 1501),
                        mode: wanted.mode,
                        box: wanted.box
                    )
                    let crop = place.crop ?? Rectangle(x: 0, y: 0, size: place.scaled)
                    script += """
                        print(decibels(Image.open('\(variant.file)'), whole.resize(
                            (\(place.scaled.width), \(place.scaled.height)), Image.LANCZOS).crop(
                            (\(crop.x), \(crop.y), \(crop.x + crop.size.width),
                                \(crop.y + crop.size.height)))))

                        """
                }
                let decibels = try Pillow.run(script, in: bench.scratch)
                    .split(separator: "\n").compactMap { Double($0) }.sorted()
                #expect(decibels.count == sides.count)
                #expect(decibels[0] >= 40, "worst of \(mode), each alone: \(alone)")
                #expect(
                    decibels[decibels.count / 2] >= 49,
                    "median of \(mode), each alone: \(alone)"
                )
            }
        }
    }
}
