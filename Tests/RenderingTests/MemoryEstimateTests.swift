import Foundation
import GearboxURL
import Imaging
import PictureSupport
import Rendering
import Store
import System
import TestSupport
import Testing

/// A kind of file and what is made of it, for which the estimate is held against what is measured.
private struct MemoryCase: Codable, Sendable, CustomTestStringConvertible {
    var name: String
    /// The longer side: the soak run draws a hundred megapixels.
    var side = isSoak ? 11_500 : 3_000
    /// Python, with `size` at hand, that writes the file `picture`.
    var drawing: String
    var wanted: [WantedVariant] = ladder
    var isLeftToSoak = false

    var testDescription: String { name }

    static let isSoak = ProcessInfo.processInfo.environment["GEARBOX_SOAK"] != nil

    static let ladder: [WantedVariant] = [1024, 512, 180, 60].flatMap { side in
        [.made(.x, side, side, format: .jpg), .made(.y, side, side, format: .webp)]
    }

    /// The soak run measures all of them.
    static let measured = isSoak ? all : all.filter { !$0.isLeftToSoak }

    private static let all = [
        MemoryCase(
            name: "progressive JPEG, 4:4:4",
            drawing: "photo(size).save('picture', 'jpeg', progressive=True, subsampling=0)"
        ),
        MemoryCase(
            name: "progressive JPEG, 4:2:0",
            drawing: "photo(size).save('picture', 'jpeg', progressive=True)",
            isLeftToSoak: true
        ),
        MemoryCase(
            name: "baseline JPEG, whole",
            drawing: "noise(size).save('picture', 'jpeg')",
            wanted: [.made(quality: 100, format: .jpg)],
            isLeftToSoak: true
        ),
        MemoryCase(
            name: "baseline JPEG that is turned",
            drawing: """
                exif = Image.Exif()
                exif[0x112] = 6
                photo(size).save('picture', 'jpeg', exif=exif)
                """,
            wanted: [.made(format: .jpg)]
        ),
        MemoryCase(
            name: "grainy JPEG, whole as WebP",
            drawing: "noise(size, 15).save('picture', 'jpeg')",
            wanted: [.made(format: .webp)]
        ),
        MemoryCase(
            name: "grainy JPEG, whole as WebP at its best",
            drawing: "noise(size, 15).save('picture', 'jpeg')",
            wanted: [.made(quality: 100, format: .webp)],
            isLeftToSoak: true
        ),
        MemoryCase(
            name: "interlaced PNG",
            drawing: """
                photo(size).save('plain.ppm')
                subprocess.run(['vips', 'pngsave', 'plain.ppm', 'picture.png', '--interlace',
                    '--compression', '1'], check=True)
                import os
                os.rename('picture.png', 'picture')
                """,
            isLeftToSoak: true
        ),
        MemoryCase(
            name: "PNG with alpha",
            drawing: "noise(size).convert('RGBA').save('picture', 'png', compress_level=1)",
            wanted: [.made(format: .png)]
        ),
        MemoryCase(
            name: "WebP",
            drawing: "photo(size).save('picture', 'webp', method=0)",
            isLeftToSoak: true
        ),
        MemoryCase(
            name: "lossless WebP with alpha",
            drawing: "photo(size, 'RGBA').save('picture', 'webp', lossless=True, method=0)"
        ),
        MemoryCase(
            name: "GIF",
            drawing: "photo(size).convert('P').save('picture', 'gif')",
            isLeftToSoak: true
        ),
        MemoryCase(
            name: "TIFF of one strip",
            drawing:
                "photo(size).save('picture', 'tiff', compression='tiff_lzw', strip_size=1 << 30)",
            isLeftToSoak: true
        ),
        MemoryCase(
            name: "AVIF",
            drawing: """
                photo(size).save('plain.ppm')
                subprocess.run(['vips', 'heifsave', 'plain.ppm', 'picture.avif', '--compression',
                    'av1', '--effort', '0'], check=True)
                import os
                os.rename('picture.avif', 'picture')
                """
        ),
        MemoryCase(
            name: "the original's own bytes",
            drawing: "photo(size).save('picture', 'png', compress_level=0)",
            wanted: [.original]
        ),
        MemoryCase(
            name: "animated GIF as WebP",
            side: isSoak ? 1_600 : 800,
            drawing: """
                first = photo(size).convert('P')
                first.save('picture', 'gif', save_all=True, loop=0, duration=50,
                    append_images=[first.rotate(9 * i) for i in range(1, 40)])
                """,
            wanted: [.made(.x, 512, 512, keepsAnimation: true), .made(.x, 180, 180)]
        ),
        MemoryCase(
            name: "animated WebP as GIF",
            side: isSoak ? 1_600 : 800,
            drawing: """
                first = photo(size)
                first.save('picture', 'webp', save_all=True, loop=0, duration=50, method=0,
                    append_images=[first.rotate(9 * i) for i in range(1, 40)])
                """,
            wanted: [.made(.x, 512, 512, format: .gif, keepsAnimation: true)],
            isLeftToSoak: true
        ),
    ]
}

@Suite("The estimate of memory", .serialized)
struct MemoryEstimateTests {
    @Test(
        "is not below what a plan takes, and not above two and a half times",
        arguments: MemoryCase.measured
    )
    fileprivate func estimate(of item: MemoryCase) async throws {
        let scratch = try Scratch()
        try Pillow.run(
            """
            size = (\(item.side), \(item.side * 3 / 4))
            def noise(size, sigma=90):
                bands = [Image.effect_noise(size, sigma) for _ in 'RGB']
                return Image.merge('RGB', bands)
            \(item.drawing)
            """,
            in: scratch
        )
        let folder = scratch.path
        await #expect(processExitsWith: .success) {
            [folder = folder as String, item = item as MemoryCase] in
            ProcessMemory.boundArenas()
            ProcessMemory.returnLargeBlocks()
            let renderer = try Renderer(
                settings: RenderSettings(limits: .init(memory: 1 << 40)),
                store: Store(root: folder)
            )
            let path = folder + "/picture"
            let head = try ImageFile.head(of: path, bytes: FileFormat.headLength).head
            let before = ProcessFacts.used().peakResidentBytes
            var estimate = 0
            _ = try renderer.render(
                RenderJob(original: path, format: FileFormat.sniff(head.span), wanted: item.wanted)
            ) { estimate = $0 - MemoryEstimate.standing }
            let growth = ProcessFacts.used().peakResidentBytes - before
            try "\(growth) \(estimate)".write(
                toFile: folder + "/measured",
                atomically: true,
                encoding: .utf8
            )
        }
        let measured = try scratch.read("measured").split(separator: " ").compactMap { Double($0) }
        let (growth, estimate) = (measured[0], measured[1])
        let found =
            "\(item.name): grew by \(Int(growth) >> 20) MiB, estimated \(Int(estimate) >> 20) MiB, \(estimate/growth)"
        #expect(growth <= estimate, "\(found)")
        #expect(estimate <= 2.5 * growth, "\(found)")
    }
}
