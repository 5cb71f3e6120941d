import GearboxURL
import Testing

@Suite("Ladders")
struct LadderTests {
    @Test(
        "round the longer side up and keep the shape",
        arguments: [
            (Size(width: 1, height: 1), Size(width: 30, height: 30)),
            (Size(width: 30, height: 30), Size(width: 30, height: 30)),
            (Size(width: 31, height: 31), Size(width: 60, height: 60)),
            (Size(width: 110, height: 110), Size(width: 120, height: 120)),
            (Size(width: 200, height: 100), Size(width: 256, height: 128)),
            (Size(width: 100, height: 199), Size(width: 128, height: 256)),
            (Size(width: 1000, height: 1), Size(width: 1024, height: 1)),
            (Size(width: 0, height: 100), Size(width: 0, height: 120)),
            (Size(width: 1125, height: 2), Size(width: 1280, height: 2)),
            (Size(width: 4096, height: 4000), Size(width: 4096, height: 4000)),
            (Size(width: 3841, height: 3841), Size(width: 4096, height: 4096)),
            (Size.zero, Size.zero),
        ]
    )
    func boxes(asked: Size, gear: Size) {
        #expect(SizeLadder.standard.box(for: asked) == gear)
    }

    @Test("say what happens above the top gear")
    func overflow() {
        let asked = Size(width: 3000, height: 2)
        let gears = [256, 1024]
        #expect(
            SizeLadder(gears: gears, overflow: .step).box(for: asked)
                == Size(width: 3072, height: 2)
        )
        #expect(SizeLadder(gears: gears, overflow: .passthrough).box(for: asked) == asked)
        #expect(
            SizeLadder(gears: gears, overflow: .clamp).box(for: asked)
                == Size(width: 1024, height: 1)
        )
    }

    @Test(
        "never make a box smaller than asked for, and leave a gear where it is",
        arguments: Overflow.allCases
    )
    func everyBox(overflow: Overflow) {
        let ladder = SizeLadder(gears: [7, 30, 100, 333, 1024], overflow: overflow)
        var broken: [Size] = []
        for width in stride(from: 0, through: 1300, by: 7) {
            for height in stride(from: 0, through: 1300, by: 11) {
                let asked = Size(width: width, height: height)
                let box = ladder.box(for: asked)
                let grows = box.width >= width && box.height >= height
                let isSquare = width != height || box.width == box.height
                let zeros = (width == 0) == (box.width == 0) && (height == 0) == (box.height == 0)
                let clamped = overflow == .clamp && asked.longerSide > 1024
                if ladder.box(for: box) != box || !zeros || !isSquare || !(grows || clamped) {
                    broken.append(asked)
                }
            }
        }
        #expect(broken.isEmpty)
    }

    @Test(
        "round qualities up, with the default for a missing one",
        arguments: [
            (nil, 89), (0, 89), (1, 39), (39, 39), (40, 69), (69, 69), (70, 89), (90, 100),
            (100, 100),
        ] as [(Int?, Int)]
    )
    func qualities(asked: Int?, gear: Int) {
        #expect(QualityLadder.standard.gear(for: asked) == gear)
    }

    @Test("never round a quality down, even above a ladder that ends early")
    func shortLadder() {
        let ladder = QualityLadder(gears: [50, 80], defaultQuality: 90)
        #expect(ladder.gear(for: 81) == 100)
        #expect(ladder.gear(for: nil) == 100)
    }
}
