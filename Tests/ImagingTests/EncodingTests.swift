import Imaging
import PictureSupport
import TestSupport
import Testing

@Suite("Encoding")
struct EncodingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var encoding: Encoding
        var bands: Int
        var mode: String
        var format: String
        var isProgressive = false
        var testDescription: String { "\(encoding) of \(bands) bands" }
    }

    static let cases: [Case] = [
        Case(
            encoding: .jpeg(quality: 80, progressive: false),
            bands: 1,
            mode: "L",
            format: "JPEG"
        ),
        Case(
            encoding: .jpeg(quality: 80, progressive: true),
            bands: 3,
            mode: "RGB",
            format: "JPEG",
            isProgressive: true
        ),
        Case(encoding: .png(interlaced: false), bands: 1, mode: "L", format: "PNG"),
        Case(encoding: .png(interlaced: false), bands: 2, mode: "LA", format: "PNG"),
        Case(
            encoding: .png(interlaced: true),
            bands: 3,
            mode: "RGB",
            format: "PNG",
            isProgressive: true
        ),
        Case(encoding: .png(interlaced: false), bands: 4, mode: "RGBA", format: "PNG"),
        Case(encoding: .webp(quality: 80, effort: 4), bands: 1, mode: "RGB", format: "WEBP"),
        Case(encoding: .webp(quality: 80, effort: 4), bands: 2, mode: "RGBA", format: "WEBP"),
        Case(encoding: .webp(quality: 80, effort: 0), bands: 3, mode: "RGB", format: "WEBP"),
        Case(encoding: .webp(quality: 80, effort: 6), bands: 4, mode: "RGBA", format: "WEBP"),
        Case(encoding: .gif(interlaced: false), bands: 3, mode: "P", format: "GIF"),
        Case(encoding: .gif(interlaced: false), bands: 4, mode: "P", format: "GIF"),
    ]

    @Test("Size, mode and colours survive, metadata and profile do not", arguments: cases)
    func roundTrip(_ wanted: Case) throws {
        let scratch = try Scratch()
        let mode = ["L", "LA", "RGB", "RGBA"][wanted.bands - 1]
        try Pillow.run(
            """
            e = Image.Exif(); e[0x112] = 1; e[0x10e] = 'secret'
            image = Image.new('RGB', (33, 21), (200, 60, 40)).convert('\(mode)')
            # An alpha without any transparency is dropped by encoders.
            if image.mode[-1] == 'A': image.putalpha(Image.linear_gradient('L').resize((33, 21)))
            image.save('a.png', exif=e, icc_profile=srgb() if '\(mode)'[0] == 'R' else None)
            """,
            in: scratch
        )
        let image = try Image.open(scratch.file("a.png"), loader: .png)
            .standardColour().inMemory()
        #expect(image.bands == wanted.bands)
        let file = try scratch.write(image.encoded(as: wanted.encoding), as: "b")
        let reading = try Pillow.read(file, in: scratch)
        #expect([reading.width, reading.height] == [33, 21])
        #expect(reading.format == wanted.format)
        #expect(reading.mode == wanted.mode)
        #expect(!reading.hasProfile)
        #expect(!reading.hasEXIF)
        #expect(reading.isProgressive == wanted.isProgressive)
        let grey = [99, 99, 99]
        let colour = Array((wanted.bands > 2 ? [200, 60, 40] : grey).prefix(3))
        let read = reading.colour(.bottom)
        #expect(isNear(Array(read.prefix(3)), colour, within: 6), "\(read)")
    }

    @Test("AVIF is written with 8 bits a sample and keeps alpha", arguments: [3, 4])
    func avif(bands: Int) throws {
        let scratch = try Scratch()
        let pixel = Array([200, 60, 40, 128].prefix(bands)) as [UInt8]
        let image = try Image.fromSamples(
            Array((0..<32 * 24).map { _ in pixel }.joined()),
            width: 32,
            height: 24,
            bands: bands
        )
        let bytes = try image.encoded(as: .avif(quality: 80, effort: 2))
        #expect(String(decoding: bytes[4..<12], as: UTF8.self) == "ftypavif")
        let read = try Image.open(scratch.write(bytes, as: "a.avif"), loader: .heif)
        #expect(read.header.bitDepth == 8)
        #expect(read.header.hasAlpha == (bands == 4))
        let colour = try read.standardColour().samples().prefix(bands).map { Int($0) }
        #expect(isNear(colour, pixel.map { Int($0) }, within: 6), "\(colour)")
    }

    @Test("One picture in memory is encoded many times")
    func severalEncodes() throws {
        let scratch = try Scratch()
        try Pillow.run("photo((300, 200)).save('a.jpg')", in: scratch)
        let image = try Image.open(scratch.file("a.jpg"), loader: .jpeg).standardColour().inMemory()
        let first = try image.encoded(as: .webp(quality: 70, effort: 1))
        _ = try image.encoded(as: .jpeg(quality: 70, progressive: false))
        #expect(try image.encoded(as: .webp(quality: 70, effort: 1)) == first)
    }

    @Test("Delays, loops and frames survive in both formats", arguments: [true, false])
    func animation(isGIF: Bool) throws {
        let scratch = try Scratch()
        let colours: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255]]
        var stack: FrameStack?
        for colour in colours {
            let frame = try Image.fromSamples(
                Array((0..<20 * 10).map { _ in colour }.joined()),
                width: 20,
                height: 10,
                bands: 3
            )
            if stack == nil { stack = FrameStack(for: frame) }
            stack?.append(frame)
        }
        let timing = FrameTiming(delays: [50, 500, 0], loops: 3).asShown
        #expect(timing.delays == [50, 500, 100])
        guard let roll = try stack?.roll(timing: timing) else { return }
        let bytes = try roll.encoded(
            as: isGIF ? .gif(interlaced: false) : .webp(quality: 90, effort: 2)
        )
        let reading = try Pillow.read(scratch.write(bytes, as: "a"), in: scratch)
        #expect([reading.width, reading.height, reading.frames] == [20, 10, 3])
        // A GIF says how often it repeats, a WebP how often it plays.
        #expect(reading.loop == (isGIF ? 2 : 3))
        for (index, colour) in colours.enumerated() {
            let read = reading.colours[index][Place.centre.rawValue]
            #expect(isNear(read, colour.map { Int($0) } + [255], within: 6))
        }
        #expect(reading.delays == (isGIF ? [50, 500, 100] : reading.delays))
        let loader: Loader = isGIF ? .gif : .webp
        let again = try Image.open(scratch.file("a"), loader: loader, frames: .all)
        #expect(again.timing(frames: 3) == timing)
    }
}
