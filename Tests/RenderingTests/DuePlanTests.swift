import GearboxURL
import Rendering
import Store
import Testing

@Suite("A plan for what is due")
struct DuePlanTests {
    private let wanted = [1_000, 400, 180, 60].flatMap { side in
        [WantedVariant.made(.x, side, side), .made(.y, side, side)]
    }

    @Test("makes the same bytes as the whole plan, and only what is due")
    func sameBytes() throws {
        let bench = try Bench()
        let path = try bench.draw("photo((1600, 1200)).save('a', 'JPEG', quality=90)", "a")
        let whole = try bench.render(path, wanted + [.original])
        #expect(whole.variants.count == wanted.count + 1)
        for variant in wanted {
            let part = try bench.render(path, wanted + [.original], due: [variant.key])
            #expect(part.variants.map(\.key) == [variant.key])
            #expect(
                part.variant(variant)?.file == whole.variant(variant)?.file,
                "\(variant.key)"
            )
        }
    }

    @Test("keeps the rasters that a due one is cut from, and drops the rest")
    func rasters() {
        let facts = SourceFacts(format: .png, size: Size(width: 1_600, height: 1_200))
        let whole = RenderPlan(facts: facts, wanted: wanted, settings: RenderSettings())
        let part = whole.making(only: [WantedVariant.made(.x, 60, 60).key])
        #expect(part.decode == whole.decode)
        #expect(part.rasters.count < whole.rasters.count)
        #expect(part.rasters.flatMap(\.encodes).flatMap(\.variants).count == 1)
        for (index, raster) in part.rasters.enumerated() {
            #expect((raster.parent ?? -1) < index)
        }
        #expect(whole.making(only: Set(wanted.map(\.key))) == whole)
        #expect(whole.making(only: []).rasters.isEmpty)
    }
}
