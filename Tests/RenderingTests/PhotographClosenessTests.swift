import GearboxURL
import PictureSupport
import Rendering
import Store
import TestSupport
import Testing

/// Rasters of photographs against Pillow's Lanczos from the full size: Debian's wallpapers where they
/// are installed, else drawn ones.
///
/// What a raster is cut from depends on the others of its job, so half of them are made alone and
/// half among the ladder and many more.
@Suite("Closeness on photographs")
struct PhotographClosenessTests {
    private static let ladder = [30, 60, 90, 120, 180, 256, 315, 512, 720, 1024]
    /// Each size is measured on every so many photographs.
    private static let share = 6

    /// What one raster measured.
    private struct Sample: Sendable {
        let side: Int
        let photograph: Int
        let isAlone: Bool
        let decibels: Double
    }

    @Test("At every size the median is 49 dB or more, and nothing is below 36 dB")
    func close() async throws {
        let isSoaking = SeededGenerator.isSoaking
        let count = isSoaking ? 60 : 2
        let bench = try Bench()
        try Self.draw(count, in: bench.scratch)
        let samples = try await withThrowingTaskGroup(of: [Sample].self) { group in
            for photograph in 0..<count {
                // In all, a size is seen by ten photographs; else a few sizes by one each.
                let sides = (30...1024).filter { side in
                    isSoaking
                        ? side % Self.share == photograph % Self.share
                        : side % 128 == 64 * photograph
                }
                group.addTask {
                    try Self.measure(sides, of: photograph, with: bench)
                }
            }
            return try await group.reduce(into: [Sample]()) { $0 += $1 }
        }
        #expect(samples.count > (isSoaking ? 9_000 : 14))
        for sample in samples where sample.decibels < 36 {
            Issue.record("\(sample)")
        }
        let groups = isSoaking ? Dictionary(grouping: samples, by: \.side) : [0: samples]
        for (side, group) in groups {
            #expect(Self.median(group) >= 49, "the median at \(side)")
        }
        if isSoaking { Self.report(samples, groups) }
    }

    private static func median(_ samples: [Sample]) -> Double {
        let sorted = samples.map(\.decibels).sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    private static func report(_ samples: [Sample], _ groups: [Int: [Sample]]) {
        let least = groups.map { (median($0.value), $0.key) }.min { $0 < $1 }
        print("\(samples.count) rasters, \(groups.count) sizes; least median:", least ?? "none")
        for isAlone in [true, false] {
            let part = samples.filter { $0.isAlone == isAlone }
            print(isAlone ? "alone" : "in a set", "median", median(part), "worst:")
            for sample in part.sorted(by: { $0.decibels < $1.decibels }).prefix(5) {
                print("  \(sample)")
            }
        }
        for band in stride(from: 30, through: 1024, by: 100) {
            let part = samples.filter { band..<band + 100 ~= $0.side }
            let medians = groups.filter { band..<band + 100 ~= $0.key }.map { median($0.value) }
            let worst = part.map(\.decibels).min() ?? 0
            print("  \(band)...: least median \(medians.min() ?? 0), worst \(worst)")
        }
    }

    private static func measure(
        _ sides: [Int],
        of photograph: Int,
        with bench: Bench
    ) throws -> [Sample] {
        let path = bench.scratch.file("photograph-\(photograph)")
        let facts = try bench.read(path)
        let modes: [Mode] = [.x, .y, .z]
        func wanted(_ side: Int) -> WantedVariant {
            .made(modes[(side / share + photograph) % 3], side, side, format: .png)
        }
        func isAlone(_ side: Int) -> Bool { (side / share / 3 + photograph) % 2 == 0 }
        let among = sides.filter { !isAlone($0) }.map(wanted)
        let ladder = ladder.flatMap { side in
            modes.map { WantedVariant.made($0, side, side, format: .png) }
        }
        var made = try bench.render(
            path,
            among + ladder.filter { !among.contains($0) },
            due: Set(among.map(\.key))
        ).variants
        for side in sides where isAlone(side) {
            made += try bench.render(path, [wanted(side)]).variants
        }
        let files = Dictionary(made.map { ($0.key, $0.file) }) { first, _ in first }
        var script = "whole = Image.open('photograph-\(photograph)').convert('RGB')\n"
        for side in sides {
            let variant = wanted(side)
            let directives = try #require(variant.directives)
            let place = Geometry.placement(
                source: facts,
                mode: directives.mode,
                box: directives.box
            )
            let crop = place.crop ?? Rectangle(x: 0, y: 0, size: place.scaled)
            script += """
                print(decibels(Image.open('\(try #require(files[variant.key]))'), whole.resize(
                    (\(place.scaled.width), \(place.scaled.height)), Image.LANCZOS).crop(
                    (\(crop.x), \(crop.y), \(crop.x + crop.size.width),
                        \(crop.y + crop.size.height)))))

                """
        }
        try bench.scratch.write(script, to: "script-\(photograph).py")
        let decibels = try Pillow.run(
            "exec(open('script-\(photograph).py').read())",
            in: bench.scratch
        ).split(separator: "\n").compactMap { Double($0) }
        try #require(decibels.count == sides.count)
        return zip(sides, decibels).map {
            Sample(side: $0, photograph: photograph, isAlone: isAlone($0), decibels: $1)
        }
    }

    /// Regions of wallpapers, each another one, between 1,030 and 1,700 pixels high and wide.
    private static func draw(_ count: Int, in scratch: Scratch) throws {
        try Pillow.run(
            """
            import glob, os, random
            found = set()
            for folder in ('/usr/share/backgrounds', '/usr/share/wallpapers'):
                for path in glob.glob(folder + '/**/*.jpg', recursive=True):
                    image = Image.open(path)
                    if min(image.size) >= 1030 and image.mode == 'RGB':
                        found.add(os.path.realpath(path))
            found = sorted(found, key=lambda path: ('/nature/' not in path, path))
            chance = random.Random(20240229)
            for number in range(\(count)):
                if found:
                    image = Image.open(found[number % len(found)])
                else:
                    image = texture((400 + number, 301)).resize((2003, 1501), Image.BICUBIC)
                width, height = (chance.randint(1030, min(1700, side)) for side in image.size)
                left = chance.randint(0, image.width - width)
                top = chance.randint(0, image.height - height)
                image.crop((left, top, left + width, top + height)).save(
                    'photograph-%d' % number, ['JPEG', 'JPEG', 'JPEG', 'PNG', 'WEBP'][number % 5],
                    quality=chance.choice([80, 90, 95]), compress_level=1, method=0)
            """,
            in: scratch
        )
    }
}

extension Bench {
    /// The size of a file, as the pipeline reads it.
    fileprivate func read(_ path: String) throws -> Size {
        try render(path, [.original]).facts.size
    }
}
