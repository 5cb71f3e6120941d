import GearboxURL
import Imaging
import PictureSupport
import Rendering
import Store
import TestSupport
import Testing

@Suite("Rendering a source")
struct RendererTests {
    @Test("Orientation is applied before anything is cut", arguments: 1...8)
    func orientation(orientation: Int) throws {
        let bench = try Bench()
        // Upright: red left, blue right, the lower half darker.
        let path = try bench.draw(
            """
            upright = halves('RGB', (80, 40), (250, 0, 0), (0, 0, 250))
            upright.paste(halves('RGB', (80, 20), (120, 0, 0), (0, 0, 120)), (0, 20))
            e = Image.Exif(); e[0x112] = \(orientation)
            stored(upright, \(orientation)).save('a.jpg', exif=e, quality=98, subsampling=0)
            """,
            "a.jpg"
        )
        let fit = WantedVariant.made(.x, 40, 40, quality: 100, format: .png)
        let left = WantedVariant.made(
            .y,
            20,
            20,
            quality: 100,
            format: .png,
            axis: Axis(horizontal: 0, vertical: 5)
        )
        let result = try bench.render(path, [fit, left])
        #expect(result.facts.size == Size(width: 80, height: 40))
        let readings = try bench.read([
            #require(result.variant(fit)), #require(result.variant(left)),
        ])
        #expect([readings[0].width, readings[0].height] == [40, 20])
        #expect(!readings[0].hasEXIF)
        #expect(isNear(readings[0].colour(.topLeft), [250, 0, 0, 255], within: 8))
        #expect(isNear(readings[0].colour(.topRight), [0, 0, 250, 255], within: 8))
        #expect(isNear(readings[0].colour(.bottomLeft), [120, 0, 0, 255], within: 8))
        #expect(isNear(readings[0].colour(.bottomRight), [0, 0, 120, 255], within: 8))
        #expect([readings[1].width, readings[1].height] == [20, 20])
        #expect(isNear(readings[1].colour(.right), [185, 0, 0, 255], within: 70))
    }

    @Test("Grey stays one band where the format allows, with and without alpha")
    func grey() throws {
        let bench = try Bench()
        let path = try bench.draw("photo((80, 40), 'L').save('a.jpg')", "a.jpg")
        let formats: [OutputFormat] = [.jpg, .png, .webp]
        let wanted = formats.map { WantedVariant.made(.x, 40, 40, format: $0) }
        let result = try bench.render(path, wanted)
        #expect(result.facts.isGrey)
        let readings = try bench.read(wanted.compactMap(result.variant))
        #expect(readings.map(\.mode) == ["L", "L", "RGB"])

        let clear = try bench.draw("photo((80, 40), 'LA').save('a.png')", "a.png")
        let flat = try bench.render(clear, [.made(.x, 40, 40, format: .jpg), .made(.x, 40, 40)])
        #expect(try Set(bench.read(flat.variants).map(\.mode)) == ["L", "LA"])
    }

    @Test("The original's own bytes are stored under the plain key")
    func original() throws {
        let bench = try Bench()
        let path = try bench.draw("photo((80, 40)).save('a.jpg')", "a.jpg")
        let result = try bench.render(path, [.original])
        let variant = try #require(result.variants.first)
        #expect(try bench.scratch.bytes(of: variant.file) == bench.scratch.bytes(of: "a.jpg"))
        #expect(variant.file.hasSuffix(".jpg"))
        #expect(variant.quality == 100)
        #expect(variant.isFullSize)
        #expect(!variant.isAnimated)
        #expect(variant.size == Size(width: 80, height: 40))
        #expect(variant.bytes == (try bench.scratch.bytes(of: "a.jpg").count))
    }

    @Test(
        "The smallest pictures have all their variants, and the original alone",
        arguments: ["jpeg", "png", "webp", "gif", "tiff"]
    )
    func smallest(format: String) throws {
        let bench = try Bench()
        for (width, height) in [(1, 1), (1, 9), (7, 3), (8, 7), (3, 40)] {
            let path = try bench.draw(
                "Image.new('RGB', (\(width), \(height)), (200, 30, 60)).save('a', '\(format)')",
                "a"
            )
            let alone = try bench.render(path, [.original])
            #expect(alone.variants.map(\.size) == [Size(width: width, height: height)])
            let wanted: [WantedVariant] = [
                .original, .made(.x, 30, 30), .made(.y, 30, 30, format: .jpg), .made(.z, 1, 1),
                .made(.y, 30, 30, format: .png, enlarge: true),
            ]
            let result = try bench.render(path, wanted)
            #expect(result.variants.count == wanted.count)
            #expect(result.failures.isEmpty)
        }
    }

    @Test("Full size is what is neither scaled nor cut nor of mode y")
    func fullSize() throws {
        let bench = try Bench()
        let path = try bench.draw("photo((80, 40)).save('a.png')", "a.png")
        let full: [WantedVariant] = [
            .made(), .made(.x, 80, 80), .made(.x, 900, 0), .made(.z, 500, 500),
        ]
        let other: [WantedVariant] = [
            .made(.x, 79, 79), .made(.y, 80, 40), .made(.y, 40, 40), .made(.z, 20, 20),
            .made(.x, 160, 160, enlarge: true),
        ]
        let result = try bench.render(path, full + other)
        for wanted in full { #expect(result.variant(wanted)?.isFullSize == true) }
        for wanted in other { #expect(result.variant(wanted)?.isFullSize == false) }
    }

    @Test("Files with equal bytes are one file, and each key has its own row")
    func sharedFiles() throws {
        let bench = try Bench()
        let path = try bench.draw("photo((80, 40)).save('a.jpg')", "a.jpg")
        let wanted: [WantedVariant] = [
            .made(.x, 40, 40, quality: 39, format: .png),
            .made(.z, 40, 0, quality: 89, format: .png),
        ]
        let result = try bench.render(path, wanted)
        #expect(Set(result.variants.map(\.file)).count == 1)
        #expect(wanted.map { result.variant($0)?.quality } == [39, 89])
    }

    @Test("Quality and interlacing reach the encoder")
    func encoderOptions() throws {
        let bench = try Bench()
        let path = try bench.draw("texture((300, 200)).save('a.png')", "a.png")
        let low = WantedVariant.made(.x, 200, 200, quality: 39, format: .jpg)
        let high = WantedVariant.made(.x, 200, 200, quality: 89, format: .jpg, interlace: true)
        let result = try bench.render(path, [low, high])
        let (a, b) = try (#require(result.variant(low)), #require(result.variant(high)))
        #expect(a.bytes < b.bytes)
        #expect(try bench.read([a, b]).map(\.isProgressive) == [false, true])
        #expect(a.format == .jpeg)
        #expect(a.format.fileExtension == "jpg")
    }

    @Test("AVIF and HEIC containers are turned once, and AVIF is written")
    func avif() throws {
        var settings = RenderSettings()
        settings.effort.avif = 1
        let bench = try Bench(settings)
        let path = try bench.draw("photo((80, 40)).save('a.png')", "a.png")
        let made = try bench.render(path, [.made(.x, 64, 64, format: .avif)])
        let file = bench.scratch.file(try #require(made.variants.first).file)
        #expect(made.variants.first?.format == .avif)
        let again = try bench.render(file, [.made(.x, 32, 32), .original])
        #expect(again.facts.size == Size(width: 64, height: 32))
        #expect(again.facts.format == .avif)
        #expect(again.variants.map(\.format) == [.webp, .avif])
    }

    @Test("Sources leave no object, no memory and no open file behind, broken ones neither")
    func leaks() async throws {
        let scratch = try Scratch()
        try Pillow.run(
            """
            e = Image.Exif(); e[0x112] = 6
            texture((1203, 907)).save('0', 'jpeg', exif=e)
            photo((300, 200), 'RGBA').save('1', 'png')
            photo((60, 40)).save('2', 'gif', save_all=True, append_images=[photo((60, 40), 'L')])
            for name in '012':
                data = open(name, 'rb').read()
                open('cut' + name, 'wb').write(data[:len(data) * 2 // 3])
            """,
            in: scratch
        )
        let folder = scratch.path
        await #expect(processExitsWith: .success) { [folder = folder as String] in
            let renderer = try Renderer(settings: RenderSettings(), store: Store(root: folder))
            let wanted: [WantedVariant] = [
                .made(.x, 90, 90, format: .jpg), .made(.y, 60, 60), .made(format: .webp),
                .made(.x, 30, 30, keepsAnimation: true), .original,
            ]
            let formats: [FileFormat] = [.jpeg, .png, .gif]
            var failures = 0
            for round in 0..<60 {
                let path = "\(folder)/\(round % 2 == 0 ? "" : "cut")\(round % 3)"
                let job = RenderJob(original: path, format: formats[round % 3], wanted: wanted)
                do { _ = try renderer.render(job) } catch { failures += 1 }
            }
            #expect(failures == 30)
            Renderer.threadWillExit()
            let nothing = ImagingRuntime.Usage(objects: 0, bytes: 0, files: 0)
            // libvips' own threads give their buffers back a moment after the work is done.
            for _ in 0..<500 where ImagingRuntime.usage != nothing {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(ImagingRuntime.usage == nothing)
        }
    }

    @Test("Equal jobs give equal bytes, on one thread or many")
    func threads() async throws {
        let bench = try Bench()
        let path = try bench.draw("texture((300, 200)).save('a.jpg')", "a.jpg")
        let wanted: [WantedVariant] = [
            .made(.x, 90, 90), .made(.y, 60, 60), .made(.z, 30, 30, format: .webp),
        ]
        let first = try bench.render(path, wanted)
        let (renderer, store) = (bench.renderer, bench.store)
        let results = await withTaskGroup(of: RenderedSource?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try? renderer.render(
                        RenderJob(original: path, format: .jpeg, wanted: wanted)
                    ).adopted(by: store)
                }
            }
            return await group.reduce(into: [RenderedSource?]()) { $0.append($1) }
        }
        #expect(results.count == 8)
        #expect(results.allSatisfy { $0 == first })
    }

    @Test("Files of variants that were not staged with them are not adopted")
    func foreignFiles() throws {
        let bench = try Bench()
        let path = try bench.draw("texture((300, 200)).save('a.jpg')", "a.jpg")
        let job = RenderJob(original: path, format: .jpeg, wanted: [.made(.x, 90, 90)])
        for change in [
            { $0.variants[0].file = "index.sqlite" }, { $0.variants[0].bytes += 1 },
            { $0.staged = [] },
        ] as [(inout RenderedSource) -> Void] {
            var rendered = try bench.renderer.render(job)
            change(&rendered)
            let error = #expect(throws: StoreError.self) { try rendered.adopted(by: bench.store) }
            #expect(error?.code == .notAsStaged)
        }
        #expect(try bench.renderer.render(job).adopted(by: bench.store).staged == [])
    }
}
