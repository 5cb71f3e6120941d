import Imaging
import PictureSupport
import TestSupport
import Testing

/// How the frames of an animation are put together, held against Pillow's own work.
@Suite("Frames")
struct FrameTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var loader: Loader
        /// Writes the file `f`.
        var script: String
        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(
            name: "GIF whose frames are patches, left, cleared and taken back",
            loader: .gif,
            script: """
                open('f', 'wb').write(gif(8, 6, [frame(0, 0, 8, 6, 1, delay=5, disposal=1),
                    frame(1, 1, 4, 3, 2, delay=7, disposal=3), frame(4, 2, 4, 4, 3, delay=9,
                    disposal=1), frame(0, 0, 2, 2, 2, delay=9, disposal=1), frame(6, 0, 2, 2, 3, delay=9)]))
                """
        ),
        Case(
            name: "GIF with clear pixels and frames that are removed",
            loader: .gif,
            script: """
                mixed = [1, 0, 2, 3] * 12
                open('f', 'wb').write(gif(8, 6, [
                    frame(0, 0, 8, 6, mixed, delay=5, disposal=2, clear=0),
                    frame(2, 2, 4, 3, [2, 0, 0] * 4, delay=7, disposal=1, clear=0),
                    frame(0, 0, 8, 6, 0, delay=7, disposal=3, clear=0),
                    frame(0, 3, 8, 3, [0, 3] * 12, delay=7, disposal=0, clear=0)]))
                """
        ),
        Case(
            name: "GIF as Pillow writes it, with the differences only",
            loader: .gif,
            script: """
                frames = [Image.new('RGB', (40, 30), (200, 30, 60)) for _ in range(4)]
                for i, image in enumerate(frames): image.paste((0, 90, 200), (9 * i, 5, 9 * i + 9, 20))
                frames[0].save('f', 'gif', save_all=True, append_images=frames[1:], duration=70)
                """
        ),
        Case(
            name: "WebP with clear frames that are blended",
            loader: .webp,
            script: """
                frames = [Image.new('RGBA', (40, 30), (0, 0, 0, 0)) for _ in range(5)]
                for i, image in enumerate(frames):
                    image.paste((250, 40 * i, 60, 255), (7 * i, 5, 7 * i + 9, 20))
                    image.paste((20, 250, 60, 120), (3, 18, 12 + 5 * i, 28))
                frames[0].save('f', 'webp', save_all=True, append_images=frames[1:], duration=70,
                    lossless=True, minimize_size=True, allow_mixed=False, kmin=2, kmax=4)
                """
        ),
        Case(
            name: "WebP whose frames change in a corner only",
            loader: .webp,
            script: """
                frames = [photo((41, 31)) for _ in range(4)]
                for i, image in enumerate(frames): image.paste((90 * i % 250, 9, 9), (30, 21, 41, 31))
                frames[0].save('f', 'webp', save_all=True, append_images=frames[1:], duration=70,
                    lossless=True, minimize_size=True)
                """
        ),
    ]

    @Test("Each frame is the picture that an independent reader shows", arguments: cases)
    func composition(_ wanted: Case) throws {
        let scratch = try Scratch()
        let script =
            Pillow.gifWriter + wanted.script + "\n" + """
                image = Image.open('f')
                with open('frames', 'wb') as file:
                    for index in range(image.n_frames):
                        image.seek(index); file.write(image.convert('RGBA').tobytes())
                print(image.n_frames, *image.size)
                """
        let said = try Pillow.run(script, in: scratch).split(whereSeparator: \.isWhitespace)
        let numbers = said.compactMap { Int($0) }
        let expected = try scratch.bytes(of: "frames")
        let opened = try Image.open(scratch.file("f"), loader: wanted.loader, frames: .all)
        #expect([opened.header.pages, opened.header.width, opened.header.height] == numbers)
        let roll = try opened.standardColour()
        let (samples, bands) = (try roll.samples(), roll.bands)
        try #require(samples.count * 4 == expected.count * bands)
        var differing = 0
        for pixel in 0..<samples.count / bands {
            var found = Array(samples[pixel * bands..<(pixel + 1) * bands])
            if bands < 3 { found = [found[0], found[0]] + found }
            if found.count == 3 { found.append(255) }
            let shown = expected[pixel * 4..<pixel * 4 + 4]
            // What is wholly clear has no colour.
            if found[3] == 0, shown.last == 0 { continue }
            if !shown.elementsEqual(found) { differing += 1 }
        }
        #expect(differing == 0)
    }

    @Test("A first frame without a control block is shown as long as browsers show it")
    func missingDelay() throws {
        let scratch = try Scratch()
        try Pillow.run(
            Pillow.gifWriter + """
                open('a', 'wb').write(gif(4, 4, [frame(0, 0, 4, 4, 1), frame(0, 0, 4, 4, 2, delay=7)],
                    loop=0))
                """,
            in: scratch
        )
        let image = try Image.open(scratch.file("a"), loader: .gif, frames: .all)
        #expect(image.timing(frames: 2) == FrameTiming(delays: [100, 70], loops: 0))
    }

    @Test("Frames without a delay of their own are shown as long as the last that has one")
    func fewDelays() throws {
        let image = try Image.fromSamples([0, 0, 0, 0], width: 1, height: 4, bands: 1)
        #expect(image.timing(frames: 2) == FrameTiming(delays: [100, 100], loops: 0))
        var stack = FrameStack(for: image)
        stack.append(image)
        let roll = try stack.roll(timing: FrameTiming(delays: [30, 40], loops: 2))
        #expect(roll.timing(frames: 4) == FrameTiming(delays: [30, 40, 40, 40], loops: 2))
        #expect(roll.timing(frames: 1).delays == [30])
    }

    @Test(
        "The canvas is the screen, also where the first frame is smaller",
        arguments: [[641, 480], [640, 480], [800, 600], [1600, 1200], [2049, 12], [15, 3000]]
    )
    func screen(size: [Int]) throws {
        let scratch = try Scratch()
        try Pillow.run(
            Pillow.gifWriter + """
                open('a', 'wb').write(gif(\(size[0]), \(size[1]), [frame(0, 0, 9, 8, 1, delay=5,
                    disposal=1), frame(2, 1, 9, 9, 2, delay=7)], loop=3))
                assert Image.open('a').size == (\(size[0]), \(size[1]))
                """,
            in: scratch
        )
        let still = try Image.open(scratch.file("a"), loader: .gif)
        #expect(still.header.pages == 2)
        #expect([still.width, still.height] == size)
        let roll = try Image.open(scratch.file("a"), loader: .gif, frames: .all)
        #expect([roll.header.width, roll.header.height] == size)
        #expect(roll.height == 2 * size[1])
        #expect(roll.timing(frames: 2).delays == [50, 70])
        let frames = try roll.standardColour().inMemory()
        let corners = try [0, 1].map { index in
            try frames.frame(index, height: size[1]).cut(x: 1, y: 1, width: 2, height: 1).samples()
        }
        let bands = frames.bands
        let red = Array([250, 0, 0, 255].prefix(bands)) as [UInt8]
        let green = Array([0, 250, 0, 255].prefix(bands)) as [UInt8]
        #expect(corners == [red + red, red + green])
    }

    @Test("A later frame that reaches over the edge is clipped")
    func clippedFrame() throws {
        let scratch = try Scratch()
        try Pillow.run(
            Pillow.gifWriter + """
                open('a', 'wb').write(gif(4, 3, [frame(0, 0, 4, 3, 1, delay=5, disposal=1),
                    frame(3, 1, 9, 9, 2, delay=7)]))
                """,
            in: scratch
        )
        let roll = try Image.open(scratch.file("a"), loader: .gif, frames: .all)
        #expect([roll.header.width, roll.header.height] == [4, 3])
        let red: [UInt8] = [250, 0, 0]
        let green: [UInt8] = [0, 250, 0]
        let second = [red, red, red, red, red, red, red, green, red, red, red, green]
        let samples = try roll.standardColour().samples()
        #expect(Array(samples.suffix(36)) == Array(second.joined()))
    }

    @Test("A first frame larger than its screen makes the picture larger, as browsers have it")
    func largeFirstFrame() throws {
        let scratch = try Scratch()
        try Pillow.run(
            Pillow.gifWriter + """
                open('a', 'wb').write(gif(4, 4, [frame(0, 0, 6, 5, 1, delay=5),
                    frame(0, 0, 9, 9, 2, delay=7)]))
                print(*Image.open('a').size)
                """,
            in: scratch
        )
        let roll = try Image.open(scratch.file("a"), loader: .gif, frames: .all)
        #expect([roll.header.width, roll.header.height, roll.height] == [6, 5, 10])
        #expect(try roll.standardColour().samples().count == 6 * 10 * 3)
    }
}
