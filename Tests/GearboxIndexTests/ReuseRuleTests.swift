import GearboxIndex
import GearboxURL
import Testing

@Suite("The reuse rule")
struct ReuseRuleTests {
    private func source(
        _ width: Int = 1_000,
        _ height: Int = 500,
        animated: Bool = false,
        alpha: Bool = false
    ) -> SourceRecord {
        SourceRecord(
            id: 1,
            size: Size(width: width, height: height),
            animated: animated,
            alpha: alpha,
            format: "jpg"
        )
    }

    private func variant(
        _ mode: Mode?,
        _ width: Int,
        _ height: Int,
        quality: Int = 89,
        format: String = "webp",
        extra: String = "",
        animated: Bool = false,
        fullSize: Bool = false,
        key: String? = nil
    ) -> VariantRecord {
        VariantRecord(
            key: key ?? "\(mode?.rawValue ?? "-")\(width)x\(height)q\(quality)\(format)\(extra)",
            mode: mode,
            quality: quality,
            format: format,
            extra: extra,
            size: Size(width: width, height: height),
            animated: animated,
            fullSize: fullSize,
            file: "store/\(width)x\(height)"
        )
    }

    private func request(
        _ mode: Mode?,
        _ width: Int,
        _ height: Int,
        quality: Int = 89,
        format: OutputFormat? = .webp,
        enlarge: Bool = false,
        axis: Axis = .center,
        keepsAnimation: Bool = false
    ) -> Directives {
        Directives(
            mode: mode,
            box: Size(width: width, height: height),
            quality: quality,
            format: format,
            enlarge: enlarge,
            axis: axis,
            keepsAnimation: keepsAnimation
        )
    }

    private func key(
        _ request: Directives,
        _ variants: [VariantRecord],
        source: SourceRecord? = nil,
        hasSteps: Bool = false,
        accepted: Set<String>? = nil
    ) -> String? {
        let rule = ReuseRule(
            source: source ?? self.source(),
            originalKey: "/original",
            hasSteps: hasSteps,
            accepted: accepted
        )
        return rule.standIn(for: request, among: variants)?.variant.key
    }

    @Test("gives x and z from x and z that are large enough, with a pixel of slack")
    func scaled() {
        // 1000x500 into 120x120: x is 120x60, z is 240x120.
        for mode in [Mode.x, .z] {
            #expect(key(request(.x, 120, 120), [variant(mode, 120, 60)]) != nil)
            #expect(key(request(.x, 120, 120), [variant(mode, 119, 59)]) != nil)
            #expect(key(request(.x, 120, 120), [variant(mode, 118, 60)]) == nil)
            #expect(key(request(.z, 120, 120), [variant(mode, 240, 120)]) != nil)
            #expect(key(request(.z, 120, 120), [variant(mode, 238, 119)]) == nil)
        }
        #expect(key(request(.x, 120, 120), [variant(.y, 500, 250)]) == nil)
    }

    @Test("gives y from what covers its box, or from a y of its shape")
    func cropped() {
        #expect(key(request(.y, 120, 120), [variant(.x, 240, 120)]) != nil)
        #expect(key(request(.y, 120, 120), [variant(.x, 120, 60)]) == nil)
        #expect(key(request(.y, 120, 120), [variant(.y, 300, 300)]) != nil)
        #expect(key(request(.y, 120, 120), [variant(.y, 300, 200)]) == nil)
        #expect(key(request(.y, 120, 120), [variant(.y, 300, 300, extra: "axis=0_5")]) == nil)
        let left = request(.y, 120, 120, axis: Axis(horizontal: 0, vertical: 5))
        #expect(key(left, [variant(.y, 300, 300, extra: "axis=0_5")]) != nil)
        // |Th*cw - Tw*ch| may be as large as the candidate's longer side.
        #expect(key(request(.y, 120, 60), [variant(.y, 301, 150)]) != nil)
    }

    @Test("gives the cut of mode y exactly where the box lies in the covering size")
    func recipe() {
        let rule = ReuseRule(source: source(), originalKey: "", hasSteps: false)
        let right = request(.y, 100, 100, axis: Axis(horizontal: 10, vertical: 5))
        let found = rule.standIn(for: right, among: [variant(.x, 512, 256)])
        #expect(found?.recipe.scale == Size(width: 200, height: 100))
        #expect(found?.recipe.crop == Rectangle(x: 100, y: 0, size: Size(width: 100, height: 100)))
        #expect(found?.recipe.size == Size(width: 100, height: 100))
        let same = rule.standIn(for: request(.x, 512, 512), among: [variant(.z, 512, 256)])
        #expect(same?.recipe.isEmpty == true)
    }

    @Test("gives anything from the full size, unless the request enlarges")
    func fullSize() {
        let full = variant(nil, 1_000, 500, fullSize: true)
        for mode in Mode.allCases { #expect(key(request(mode, 2_000, 2_000), [full]) != nil) }
        #expect(key(request(nil, 0, 0), [full]) != nil)
        #expect(key(request(nil, 0, 0), [variant(.x, 999, 500)]) == nil)
        #expect(key(request(.x, 2_000, 2_000, enlarge: true), [full]) == nil)
    }

    @Test("never lowers the quality; a PNG counts as 100")
    func quality() {
        #expect(key(request(.x, 60, 60, quality: 89), [variant(.x, 120, 60, quality: 69)]) == nil)
        #expect(key(request(.x, 60, 60, quality: 39), [variant(.x, 120, 60, quality: 69)]) != nil)
        let png = variant(.x, 120, 60, quality: 39, format: "png")
        #expect(key(request(.x, 60, 60, quality: 100), [png]) != nil)
    }

    @Test("never gives a jpg for another format of a source with alpha")
    func alpha() {
        let jpg = variant(.x, 120, 60, format: "jpg")
        let seeThrough = source(alpha: true)
        #expect(key(request(.x, 60, 60), [jpg]) != nil)
        #expect(key(request(.x, 60, 60), [jpg], source: seeThrough) == nil)
        #expect(key(request(.x, 60, 60, format: .jpg), [jpg], source: seeThrough) != nil)
    }

    @Test("never gives or takes an animation")
    func animations() {
        let moving = source(animated: true)
        let still = variant(.x, 120, 60)
        #expect(key(request(.x, 60, 60, keepsAnimation: true), [still], source: moving) == nil)
        #expect(key(request(.x, 60, 60), [still], source: moving) != nil)
        #expect(key(request(.x, 60, 60), [variant(.x, 120, 60, animated: true)]) == nil)
    }

    @Test("leaves the unprocessed original out where the pipeline has steps")
    func steps() {
        let original = variant(nil, 1_000, 500, quality: 100, fullSize: true, key: "/original")
        #expect(key(request(.x, 60, 60), [original]) != nil)
        #expect(key(request(.x, 60, 60), [original], hasSteps: true) == nil)
    }

    @Test("gives only formats that the client takes")
    func accepted() {
        let variants = [variant(.x, 120, 60), variant(.x, 240, 120, format: "jpg", key: "jpg")]
        #expect(key(request(.x, 60, 60), variants, accepted: ["jpg"]) == "jpg")
        #expect(key(request(.x, 60, 60), variants, accepted: ["avif"]) == nil)
    }

    @Test("takes the fewest pixels, then the best quality, then the first key")
    func order() {
        let variants = [
            variant(.x, 240, 120, key: "a"), variant(.x, 120, 60, quality: 89, key: "c"),
            variant(.x, 120, 60, quality: 100, key: "d"),
            variant(.x, 120, 60, quality: 100, key: "b"),
        ]
        #expect(key(request(.x, 60, 60), variants) == "b")
        #expect(key(request(.x, 60, 60), variants.reversed()) == "b")
    }
}
