import GearboxURL
import Testing

@Suite("The exact sizes of variants")
struct GeometryTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let source: (Int, Int)
        let mode: Mode?
        let box: (Int, Int)
        var enlarge = false
        let size: (Int, Int)

        var testDescription: String {
            "\(source.0)x\(source.1) as \(mode?.rawValue ?? "whole") \(box.0),\(box.1)"
                + (enlarge ? " enlarged" : "")
        }
    }

    @Test(
        "follow from the source and the box",
        arguments: [
            Case(source: (1000, 667), mode: nil, box: (0, 0), size: (1000, 667)),
            Case(source: (20000, 100), mode: nil, box: (0, 0), size: (16383, 82)),
            Case(source: (1000, 667), mode: .x, box: (512, 512), size: (512, 342)),
            Case(source: (1000, 667), mode: .x, box: (100, 0), size: (100, 67)),
            Case(source: (1000, 667), mode: .x, box: (0, 100), size: (150, 100)),
            Case(source: (3000, 2), mode: .x, box: (120, 120), size: (120, 1)),
            Case(source: (100, 50), mode: .x, box: (500, 500), size: (100, 50)),
            Case(source: (100, 50), mode: .x, box: (500, 500), enlarge: true, size: (500, 250)),
            Case(source: (1000, 667), mode: .z, box: (512, 512), size: (768, 512)),
            Case(source: (100, 50), mode: .z, box: (500, 500), size: (100, 50)),
            Case(source: (100, 50), mode: .z, box: (500, 500), enlarge: true, size: (1000, 500)),
            Case(source: (4000, 1), mode: .z, box: (512, 512), enlarge: true, size: (4096, 1)),
            Case(source: (5000, 10), mode: .z, box: (20, 20), enlarge: true, size: (5000, 10)),
            Case(source: (1000, 667), mode: .y, box: (512, 512), size: (512, 512)),
            Case(source: (300, 200), mode: .y, box: (512, 512), size: (200, 200)),
            Case(source: (1000, 667), mode: .y, box: (800, 2000), size: (267, 667)),
            Case(source: (300, 200), mode: .y, box: (512, 256), enlarge: true, size: (512, 256)),
            Case(source: (2, 2), mode: .y, box: (1000, 1), size: (2, 1)),
        ]
    )
    func sizes(example: Case) {
        let placement = Geometry.placement(
            source: Size(width: example.source.0, height: example.source.1),
            mode: example.mode,
            box: Size(width: example.box.0, height: example.box.1),
            enlarge: example.enlarge
        )
        #expect(placement.size == Size(width: example.size.0, height: example.size.1))
    }

    @Test(
        "put the window where the axis says",
        arguments: [(0, 0), (5, 128), (10, 256), (3, 77), (9, 230)]
    )
    func axis(tenths: Int, offset: Int) {
        let placement = Geometry.placement(
            source: Size(width: 1024, height: 512),
            mode: .y,
            box: Size(width: 256, height: 256),
            axis: Axis(horizontal: tenths, vertical: 0)
        )
        #expect(placement.scaled == Size(width: 512, height: 256))
        #expect(
            placement.crop
                == Rectangle(x: offset, y: 0, size: Size(width: 256, height: 256))
        )
    }

    @Test("hold for every source and box: inside, covering, exact")
    func invariants() {
        var broken: [String] = []
        for width in [1, 2, 3, 29, 100, 667, 1000, 4097] {
            for height in [1, 2, 31, 99, 640, 5000] {
                let source = Size(width: width, height: height)
                for boxWidth in [1, 2, 30, 99, 512, 4096] {
                    for boxHeight in [1, 3, 30, 100, 720] {
                        let box = Size(width: boxWidth, height: boxHeight)
                        if let name = violation(source, box) { broken.append(name) }
                    }
                }
            }
        }
        #expect(broken.isEmpty)
    }

    /// What is wrong with the placements of a source in a box; `nil` if nothing is.
    private func violation(_ source: Size, _ box: Size) -> String? {
        let name = "\(source) in \(box)"
        let fit = Geometry.placement(source: source, mode: .x, box: box).size
        if fit.width > max(box.width, 1) || fit.height > max(box.height, 1) { return name + " x" }
        let cover = Geometry.placement(source: source, mode: .z, box: box).size
        if cover.width > source.width || cover.height > source.height { return name + " z" }
        let covers = source.width >= box.width && source.height >= box.height
        if covers, cover.width < box.width || cover.height < box.height { return name + " z" }
        let fill = Geometry.placement(source: source, mode: .y, box: box)
        if covers ? fill.size != box : fill.scaled != source { return name + " y" }
        if let crop = fill.crop {
            let isInside =
                crop.x >= 0 && crop.y >= 0
                && crop.x + crop.size.width <= fill.scaled.width
                && crop.y + crop.size.height <= fill.scaled.height
            if !isInside { return name + " crop" }
        }
        let grown = Geometry.placement(source: source, mode: .y, box: box, enlarge: true)
        return grown.size == box ? nil : name + " enlarged y"
    }
}
