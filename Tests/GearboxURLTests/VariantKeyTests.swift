import GearboxURL
import Testing

@Suite("Keys of variants")
struct VariantKeyTests {
    @Test("are what the canonicaliser makes of the same request")
    func agreement() throws {
        let canonicalizer = Canonicalizer(rules: CanonicalRules())
        for query in [
            "param=100y50&axis=3_7&b=1&zz=2&imageviex=3&imagevieX=4", "quality=40&type=webp",
            "interlace=1&tostatic=0", "thumbnail=0x90&enlarge=1", "a&a=&type=png",
        ] {
            let request = try canonicalizer.request(for: "http://h/p.jpg?" + query)
            let source = try #require(request.source)
            let directives = try #require(request.directives)
            #expect(DialectName.nos.key(source: source, directives: directives) == request.key)
        }
    }

    @Test("say the same request in another mode, size, quality and format")
    func changes() {
        let directives = Directives(
            mode: .y,
            box: Size(width: 60, height: 30),
            quality: 89,
            axis: Axis(horizontal: 0, vertical: 10)
        )
        #expect(
            DialectName.nos.key(source: "/a", directives: directives)
                == "/a?axis=0_10&imageView=1&quality=89&thumbnail=60y30"
        )
        let other = directives.with(mode: .x, quality: 100, format: .avif)
        #expect(
            DialectName.nos.key(source: "/a?q=1", directives: other)
                == "/a?imageView=1&q=1&quality=100&thumbnail=60x30&type=avif"
        )
    }

    @Test("do not exist where there is no dialect")
    func noDialect() {
        #expect(DialectName.none.key(source: "/a", directives: Directives(quality: 89)) == nil)
    }

    @Test("follow the dialect of the origin")
    func origins() {
        let canonicalizer = Canonicalizer(
            rules: CanonicalRules(
                origins: [OriginRules(name: "music", hosts: [], dialect: .nos)],
                defaultDialect: .none
            )
        )
        #expect(canonicalizer.dialect(ofOrigin: "music") == .nos)
        #expect(canonicalizer.dialect(ofOrigin: "h") == .none)
    }
}
