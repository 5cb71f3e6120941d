import Foundation
import TestSupport
import Testing

/// A night of 5,000 pictures, measured while it runs; with `GEARBOX_SOAK=1` alone.
@Suite(
    "A long night",
    .serialized,
    .enabled(if: ProcessInfo.processInfo.environment["GEARBOX_SOAK"] == "1")
)
struct SoakTests {
    private static let sources = 5_000

    @Test("of mixed pictures stays within 500 MB with two workers, and does not grow")
    func memory() throws {
        let scratch = try Scratch()
        let drawn = try Program.run(
            "/usr/bin/python3",
            ["-c", Self.drawing, "\(Self.sources)"],
            in: scratch.path
        )
        try #require(drawn.status == 0, "\(drawn.errors)")
        try scratch.write(
            """
            { manifests: ["urls.txt"], cache: "cache", workers: 2,
              origins: [{ name: "o", hosts: ["o.example"], sources: [{ mirror: "origin" }] }] }
            """,
            to: "p.json5"
        )
        let run = try RunningProgram(
            "run",
            scratch.file("p.json5"),
            "--quiet",
            "--json",
            "-",
            in: scratch
        )
        var samples: [Int] = []
        while run.process.isRunning {
            samples.append(run.residentBytes)
            usleep(50_000)
        }
        let lines = try run.finish()
        #expect(lines.status == 0)
        #expect(lines.run["produced"] == Self.sources)

        // By time: the pictures come round and round in the same order.
        let fifth = samples.count / 5
        let early = samples[fifth..<(2 * fifth)].max() ?? 0
        let late = samples.suffix(fifth).max() ?? 0
        let most = samples.max() ?? 0
        let found = "most \(most >> 20) MiB, early \(early >> 20), late \(late >> 20)"
        #expect(most < 500_000_000, "\(found)")
        #expect(Double(late) < 1.1 * Double(early), "\(found)")
    }

    /// Forty pictures of all kinds under many names each: the same work, and little to draw.
    private static let drawing = """
        import os, random, sys
        from PIL import Image
        chance = random.Random(1)
        os.makedirs('origin')
        kinds = [('jpg', {}), ('jpg', {'progressive': True}), ('png', {}), ('webp', {}), ('tiff', {}),
            ('gif', {})]
        drawn = []
        for number in range(40):
            extension, options = kinds[number % len(kinds)]
            longer = chance.randint(200, 2600)
            size = (longer, longer * chance.choice([2, 3, 4, 5]) // 4)
            if number % 2: size = size[::-1]
            noise = Image.effect_noise((size[0] // 4 + 1, size[1] // 4 + 1), 60).resize(size)
            picture = Image.merge('RGB', (noise, noise.rotate(90).resize(size), noise.rotate(180)))
            if extension == 'gif': picture = picture.convert('P')
            drawn.append(f'drawn-{number}.{extension}')
            picture.save(drawn[-1], **options)
        with open('urls.txt', 'w') as urls:
            for number in range(int(sys.argv[1])):
                name = f'{number:05}.' + drawn[number % 40].split('.')[1]
                # Equal bytes would be rendered once: what lies behind a picture's end makes them differ.
                with open('origin/' + name, 'wb') as out:
                    out.write(open(drawn[number % 40], 'rb').read() + b'%d' % number)
                size, mode = chance.choice([60, 120, 256, 512]), chance.choice('xyz')
                urls.write(f'http://o.example/{name}?param={size}{mode}{size}\\n')
        """
}
