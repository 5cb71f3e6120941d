import Imaging
import PictureSupport
import TestSupport
import Testing

@Suite("Opening a file")
struct LoaderTests {
    @Test("Threads may end where libvips was never started")
    func neverStarted() async throws {
        await #expect(processExitsWith: .success) {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { ImagingRuntime.threadWillExit() } }
            }
        }
    }

    @Test("A file is not opened by the loader of another format", arguments: Loader.allCases)
    func wrongLoader(loader: Loader) throws {
        let scratch = try Scratch()
        let format = loader == .png ? "jpeg" : "png"
        try Pillow.run("photo((9, 7)).save('a', '\(format)')", in: scratch)
        let error = #expect(throws: ImagingError.self) {
            _ = try Image.open(scratch.file("a"), loader: loader)
        }
        #expect(error?.code == .openFailed)
        #expect(error?.subject == scratch.file("a"))
    }

    @Test("Decoders that are not hardened stay blocked until they are allowed")
    func untrusted() async throws {
        let scratch = try Scratch()
        let svg = #"<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"/>"#
        let path = try scratch.write(Array(svg.utf8), as: "a.svg")
        #expect(throws: ImagingError.self) { _ = try Image.open(path, loader: .svg) }
        await #expect(processExitsWith: .success) { [path = path as String] in
            try ImagingRuntime.allow(.svg)
            let image = try Image.open(path, loader: .svg)
            #expect([image.width, image.height] == [20, 10])
            try image.readThrough()
        }
    }

    @Test("An SVG draws no other file of the machine")
    func svgReferences() async throws {
        let scratch = try Scratch()
        try Pillow.run("Image.new('RGB', (20, 10), 'red').save('secret.png')", in: scratch)
        let svg = """
            <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
              width="20" height="10"><image width="20" height="10" xlink:href="secret.png"/></svg>
            """
        let path = try scratch.write(Array(svg.utf8), as: "a.svg")
        await #expect(processExitsWith: .success) { [path = path as String] in
            try ImagingRuntime.allow(.svg)
            let samples = try Image.open(path, loader: .svg).samples()
            #expect(samples.allSatisfy { $0 == 0 })
        }
    }

    @Test("Brackets in a file's name are part of the name")
    func brackets() throws {
        let scratch = try Scratch()
        try Pillow.run("photo((16, 8)).save('a[shrink=8].jpg')", in: scratch)
        #expect(try Image.open(scratch.file("a[shrink=8].jpg"), loader: .jpeg).width == 16)
    }

    @Test("A missing file is an error, not a crash")
    func missing() throws {
        let error = #expect(throws: ImagingError.self) {
            _ = try Image.open("/nonexistent/a.png", loader: .png)
        }
        #expect(error?.code == .openFailed)
        #expect(throws: ImagingError.self) { _ = try ImageFile.bytes(of: "/nonexistent/a.png") }
    }

    @Test("A rewritten file gives its new picture")
    func rewritten() throws {
        let scratch = try Scratch()
        for grey in [10, 200] {
            try Pillow.run("Image.new('L', (4, 4), \(grey)).save('a.png')", in: scratch)
            let samples = try Image.open(scratch.file("a.png"), loader: .png).samples()
            #expect(samples == Array(repeating: UInt8(grey), count: 16))
        }
    }

    @Test("The head of a file and its length are read without the rest")
    func head() throws {
        let scratch = try Scratch()
        let path = try scratch.write(Array(0..<100), as: "a")
        let (head, length) = try ImageFile.head(of: path, bytes: 8)
        #expect(head == Array(0..<8))
        #expect(length == 100)
        #expect(try ImageFile.head(of: path, bytes: 256).head.count == 100)
        #expect(try ImageFile.bytes(of: path) == Array(0..<100))
    }

    @Test("Work stops at its deadline")
    func deadline() throws {
        let scratch = try Scratch()
        try Pillow.run("photo((3000, 3000)).save('a.png', compress_level=1)", in: scratch)
        let late = try Image.open(
            scratch.file("a.png"),
            loader: .png,
            deadline: Deadline(seconds: 0.005)
        )
        let error = #expect(throws: ImagingError.self) { _ = try late.inMemory() }
        #expect(error?.code == .timedOut)
        let inTime = try Image.open(
            scratch.file("a.png"),
            loader: .png,
            deadline: Deadline(seconds: 600)
        )
        #expect(try inTime.inMemory().width == 3000)
    }

    @Test(
        "The smallest pictures are decoded, or refused where not one pixel would be left of them",
        arguments: [(1, 1), (1, 9), (7, 3), (8, 8), (9, 8), (2, 200)]
    )
    func small(width: Int, height: Int) throws {
        let scratch = try Scratch()
        try Pillow.run(
            "Image.new('RGB', (\(width), \(height)), (200, 30, 60)).save('a.jpg', quality=100)",
            in: scratch
        )
        for shrink in [1, 2, 4, 8] {
            guard shrink <= min(width, height) else {
                let error = #expect(throws: ImagingError.self) {
                    _ = try Image.open(scratch.file("a.jpg"), loader: .jpeg, shrink: shrink)
                }
                #expect(error?.code == .openFailed)
                continue
            }
            let image = try Image.open(scratch.file("a.jpg"), loader: .jpeg, shrink: shrink)
            try image.readThrough()
            let again = try Image.open(scratch.file("a.jpg"), loader: .jpeg, shrink: shrink)
            let colour = try again.standardColour().samples().prefix(3).map { Int($0) }
            #expect(isNear(colour, [200, 30, 60], within: 3))
        }
    }

    @Test("An animation that only its first picture is read of is known")
    func unreadAnimations() throws {
        let scratch = try Scratch()
        try Pillow.run(
            """
            frames = [Image.new('RGB', (9, 7), (90 * i, 9, 9)) for i in range(3)]
            frames[0].save('three.png', save_all=True, append_images=frames[1:])
            frames[0].save('still.png')
            data = open('three.png', 'rb').read()
            # What comes before may be long.
            noise = random.Random(1).randbytes(200_000)
            open('late.png', 'wb').write(special.with_chunk(data, b'gbOx', noise))
            at = data.index(b'acTL') + 4
            alone = special.chunk(b'acTL', struct.pack('>II', 1, 0))
            open('alone.png', 'wb').write(data[:at - 8] + alone + data[at + 12:])
            open('cut.png', 'wb').write(data[:36])
            for name, major, others in (('still.avif', b'avif', b'mif1miaf'),
                ('moving.avif', b'avis', b'msf1miaf'), ('both.avif', b'avif', b'mif1avis'),
                ('moving.heic', b'hevc', b'msf1'), ('still.heic', b'heic', b'mif1heic')):
                brands = b'ftyp' + major + b'hevc' + others
                open(name, 'wb').write(struct.pack('>I', len(brands) + 4) + brands + bytes(40))
            """,
            in: scratch
        )
        let files: [(String, Loader, Bool)] = [
            ("three.png", .png, true), ("still.png", .png, false), ("late.png", .png, true),
            ("alone.png", .png, false), ("cut.png", .png, false), ("still.avif", .heif, false),
            ("moving.avif", .heif, true), ("both.avif", .heif, true), ("moving.heic", .heif, true),
            ("still.heic", .heif, false), ("three.png", .gif, false),
        ]
        for (name, loader, isAnimated) in files {
            let found = try UnreadAnimation.isIn(scratch.file(name), loader: loader)
            #expect(found == isAnimated, "\(name)")
        }
    }

    @Test("Failing files leave no object, no memory and no open file behind")
    func leaks() async throws {
        let scratch = try Scratch()
        try Pillow.run(
            Pillow.gifWriter + """
                photo((300, 200)).save('a.jpg')
                photo((300, 200)).save('a.png')
                photo((300, 200), 'CMYK').save('c.jpg', icc_profile=srgb())
                photo((30, 20)).save('a.gif', save_all=True, append_images=[photo((30, 20), 'L')])
                photo((300, 200)).save('a.webp')
                open('screen.gif', 'wb').write(gif(640, 480, [frame(0, 0, 30, 20, 1, delay=5)] * 2))
                for name in ('a.jpg', 'a.png', 'a.gif', 'a.webp', 'c.jpg', 'screen.gif'):
                    data = open(name, 'rb').read()
                    open('cut-' + name, 'wb').write(data[:len(data) * 2 // 3])
                """,
            in: scratch
        )
        let folder = scratch.path
        await #expect(processExitsWith: .success) { [folder = folder as String] in
            let files: [(String, Loader)] = [
                ("a.jpg", .jpeg), ("a.png", .png), ("a.gif", .gif), ("a.webp", .webp),
                ("c.jpg", .jpeg), ("screen.gif", .gif),
            ]
            var failures = 0
            for round in 0..<200 {
                let (name, loader) = files[round % files.count]
                for prefix in ["", "cut-"] {
                    do {
                        let image = try Image.open("\(folder)/\(prefix)\(name)", loader: loader)
                        _ = try image.standardColour().scaled(width: 20, height: 9)
                            .upright()
                    } catch { failures += 1 }
                }
            }
            #expect(failures == 200)
            ImagingRuntime.threadWillExit()
            let nothing = ImagingRuntime.Usage(objects: 0, bytes: 0, files: 0)
            // libvips' own threads give their buffers back a moment after the work is done.
            for _ in 0..<500 where ImagingRuntime.usage != nothing {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(ImagingRuntime.usage == nothing)
        }
    }
}
