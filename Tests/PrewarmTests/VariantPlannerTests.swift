import GearboxURL
import Prewarm
import Testing

@Suite("The variants that a plan wants")
struct VariantPlannerTests {
    private func planner(
        modes: Pipeline.Selection<Mode> = .list(Mode.allCases),
        sizes: Pipeline.SizeSelection = .requested,
        qualities: Pipeline.Selection<Int> = .requested,
        formats: Pipeline.Selection<OutputFormat> = .requested
    ) -> VariantPlanner {
        VariantPlanner(
            variants: Pipeline.Variants(
                modes: modes,
                sizes: sizes,
                qualities: qualities,
                formats: formats
            ),
            sizes: SizeLadder(gears: [30, 60]),
            qualities: .standard
        )
    }

    private let request = Directives(
        mode: .y,
        box: Size(width: 60, height: 30),
        quality: 89,
        format: .webp,
        enlarge: true,
        axis: Axis(horizontal: 0, vertical: 5)
    )

    @Test("are every requested box in every listed mode")
    func modes() {
        #expect(
            planner().wanted(for: [request]) == [
                request.with(mode: .x), request, request.with(mode: .z),
            ]
        )
        #expect(planner(modes: .requested).wanted(for: [request]) == [request])
        #expect(planner(modes: .list([.z])).wanted(for: [request]) == [request.with(mode: .z)])
    }

    @Test("are a box with a zero side in mode x only")
    func zeroSide() {
        let request = Directives(mode: .x, box: Size(width: 60, height: 0), quality: 89)
        #expect(planner().wanted(for: [request]) == [request])
        #expect(planner(modes: .list([.y])).wanted(for: [request]) == [])
    }

    @Test("are the original and the ladder as squares for a plain URL")
    func plain() {
        let squares = [30, 60].flatMap { side in
            Mode.allCases.map { mode in
                Directives(mode: mode, box: Size(width: side, height: side), quality: 89)
            }
        }
        #expect(planner().wanted(for: [nil]) == [nil] + squares)
    }

    @Test("are the whole source where directives name no size")
    func noSize() {
        let request = Directives(quality: 89, format: .webp)
        #expect(planner().wanted(for: [request]) == [request])
    }

    @Test("are each once, however many URLs ask")
    func once() {
        let request = Directives(mode: .y, box: Size(width: 60, height: 30), quality: 89)
        let other = request.with(mode: .x)
        #expect(planner().wanted(for: [request, other, request]).count == 3)
        // The cut is its own: an x request makes y around the centre.
        #expect(planner().wanted(for: [self.request, self.request.with(mode: .x)]).count == 4)
    }

    @Test("are exactly the listed sizes, qualities and formats")
    func lists() {
        let planner = planner(
            modes: .list([.x]),
            sizes: .list([30]),
            qualities: .list([39, 100]),
            formats: .list([.jpg, .png])
        )
        let wanted = planner.wanted(for: [request])
        #expect(wanted.count == 4)
        #expect(Set(wanted.map { $0?.quality }) == [39, 100])
        #expect(Set(wanted.map { $0?.format }) == [.jpg, .png])
        #expect(wanted.allSatisfy { $0?.box == Size(width: 30, height: 30) })
    }
}
