import Imaging
import PictureSupport
import TestSupport
import Testing

@Suite("Resampling")
struct ResampleTests {
    @Test(
        "Every size comes out exactly, however extreme the shape",
        arguments: [
            (1600, 1000, 10, 6), (858, 1, 80, 1), (180, 4, 25, 1), (1450, 2048, 1, 1),
            (12000, 4, 30, 1), (1, 9000, 1, 3), (1, 1, 700, 300), (3, 2, 4096, 1),
            (1365, 2048, 682, 1024), (1001, 999, 1001, 3), (7, 7, 7, 7),
        ],
        [1, 2, 3, 4]
    )
    func exactSize(_ sizes: (Int, Int, Int, Int), bands: Int) throws {
        let (width, height, wide, high) = sizes
        let image = try Image.fromSamples(
            Array(repeating: 200, count: width * height * bands),
            width: width,
            height: height,
            bands: bands
        )
        let result = try image.scaled(width: wide, height: high)
        #expect([result.width, result.height, result.bands] == [wide, high, bands])
        // A flat picture stays flat, also at its edges.
        #expect(try result.samples().allSatisfy { abs(Int($0) - 200) <= 1 })
    }

    @Test("A window of a scaling that no memory could hold is computed alone")
    func hugeCover() throws {
        let samples = (0..<16000).map { UInt8($0 / 100) }
        let line = try Image.fromSamples(samples, width: 16000, height: 1, bands: 1)
        let window = Window(x: 8000 * 4096, y: 0, width: 4096, height: 4096)
        let result = try line.resampled(
            extent: PictureExtent(width: 16000, height: 1),
            width: 16000 * 4096,
            height: 4096,
            window: window
        )
        #expect([result.width, result.height] == [4096, 4096])
        let row = try result.cut(x: 0, y: 4095, width: 4096, height: 1).samples()
        #expect(row.allSatisfy { (79...80).contains($0) })
        #expect(row[4095] == 80)
    }

    @Test("What is transparent colours nothing: no fringe around a disc")
    func fringe() throws {
        let scratch = try Scratch()
        try Pillow.run(
            """
            image = Image.new('RGBA', (201, 201), (0, 0, 0, 0))
            ImageDraw.Draw(image).ellipse((20, 20, 180, 180), fill=(255, 255, 255, 255))
            image.save('a.png')
            """,
            in: scratch
        )
        let disc = try Image.open(scratch.file("a.png"), loader: .png).standardColour().inMemory()
        for side in [20, 100, 201, 390] {
            let samples = try disc.scaled(width: side, height: side).samples()
            var edges = 0
            for pixel in stride(from: 0, to: samples.count, by: 4) where samples[pixel + 3] > 3 {
                if samples[pixel + 3] < 250 { edges += 1 }
                #expect(samples[pixel] >= 250, "a pixel with alpha \(samples[pixel + 3]) is dark")
            }
            #expect(edges > 0 || side == 201)
        }
    }

    @Test("Faint gradients of alpha keep their steps")
    func faintAlpha() throws {
        let samples = (0..<64).flatMap { (index) -> [UInt8] in [200, 100, 50, UInt8(1 + index / 8)]
        }
        let image = try Image.fromSamples(samples, width: 64, height: 1, bands: 4)
        let result = try image.scaled(width: 32, height: 1).samples()
        for pixel in 0..<32 {
            let colour = result[4 * pixel..<4 * pixel + 4].map { Int($0) }
            #expect(isNear(colour, [200, 100, 50, 1 + pixel / 4], within: 1), "\(colour)")
        }
    }

    @Test(
        "A decoder's rest and a turn move nothing: every pixel lands where Lanczos puts it",
        arguments: Array(1...8)
    )
    func alignment(orientation: Int) throws {
        let scratch = try Scratch()
        // 403 and 301 leave rests of 3 and 5 when divided by 8.
        try Pillow.run(
            """
            e = Image.Exif(); e[0x112] = \(orientation)
            texture((403, 301)).resize((1207, 905), Image.LANCZOS).save('a.jpg', exif=e, quality=97,
                subsampling=0)
            """,
            in: scratch
        )
        for shrink in [1, 2, 4] {
            let stored = try Image.open(scratch.file("a.jpg"), loader: .jpeg, shrink: shrink)
            let full = try Image.open(scratch.file("a.jpg"), loader: .jpeg).header
            let upright = try stored.standardColour().upright()
            var across = AxisExtent(length: Double(full.width) / Double(shrink))
            var down = AxisExtent(length: Double(full.height) / Double(shrink))
            if [2, 3, 6, 7].contains(orientation) { across = across.flipped(count: upright.width) }
            if [3, 4, 7, 8].contains(orientation) { down = down.flipped(count: upright.height) }
            let (width, height) = (full.width / 9, full.height / 9)
            let png = try upright.resampled(
                extent: PictureExtent(horizontal: across, vertical: down),
                width: width,
                height: height,
                window: Window(x: 5, y: 3, width: width - 5, height: height - 3)
            ).encoded(as: .png(interlaced: false))
            _ = try scratch.write(png, as: "b.png")
            let text = try Pillow.run(
                """
                whole = ImageOps.exif_transpose(Image.open('a.jpg')).resize((\(width), \(height)),
                    Image.LANCZOS)
                print(decibels(Image.open('b.png'), whole.crop((5, 3, \(width), \(height)))))
                """,
                in: scratch
            )
            let decibels = try #require(Double(text.trimmingWhitespace))
            #expect(decibels > 40, "shrunk by \(shrink)")
        }
    }
}

extension String {
    fileprivate var trimmingWhitespace: String { String(filter { !$0.isWhitespace }) }
}
