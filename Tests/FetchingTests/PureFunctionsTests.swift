import Fetching
import Testing

@Suite("Excerpts, paths and ends")
struct PureFunctionsTests {
    @Test(
        "An excerpt is one line without control characters",
        arguments: [
            ("", ""), ("a", "a"), ("  a \r\n\t b  ", "a b"),
            ("\u{0}\u{1B}[0m", "\\0\\u{1B}[0m"),
            ("é\u{202E}", "\\u{00E9}\\u{202E}"),
        ]
    )
    func excerpt(text: String, expected: String) {
        #expect(Excerpt.of(Array(text.utf8)) == expected)
    }

    @Test("An excerpt hides the secrets that a page repeats, also where it is cut")
    func hidden() {
        let page = "no a=abcdefghijklmnop, b=abcdef and abc; abcdefghijklmnopq"
        let secrets = ["abcdefghijklmnop", "abc"]
        #expect(
            Excerpt.of(Array(page.utf8), hiding: secrets) == "no a=..., b=abcdef and abc; ...q"
        )
        let long = String(repeating: "s3cret", count: 100)
        #expect(Excerpt.of(Array("x \(long)".utf8), hiding: [long]) == "x ...")
        #expect(Excerpt.of(Array("x abcdefgh".utf8), hiding: ["abcdefghijklmnop"]) == "x ...")
    }

    @Test("An excerpt of anything has at most 80 characters", arguments: 0..<50)
    func excerptLength(seed: Int) {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: ($0 &+ seed) &* ($0 &+ 31 &* seed)) }
        let excerpt = Excerpt.of(bytes)
        #expect(excerpt.count <= 80)
        #expect(excerpt.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
        #expect(Excerpt.of(Array(repeating: UInt8(ascii: "x"), count: 100_000)).count == 80)
    }

    @Test(
        "A key becomes a path, decoded once",
        arguments: [
            ("/a.gif", "/a.gif"), ("/a%2520b?x=%20", "/a%20b"), ("/a%2", "/a%2"),
            ("/a%zz%", "/a%zz%"),
            ("/%C3%A9", "/é"), ("/%FF", nil), ("/a%00b", nil), ("/a+b", "/a+b"),
            ("/a%3Fb#c", "/a?b"),
        ]
    )
    func mirrorPath(key: String, expected: String?) {
        #expect(MirrorPath.decoded(key) == expected)
    }

    @Test(
        "Cache-Control is read",
        arguments: [
            ("max-age=60", 60), ("public, MAX-AGE=60", 60), ("max-age=\"60\"", 60), ("", 0),
            ("max-age=60, no-cache", 0), ("no-store,max-age=60", 0), ("max-age=-1", 0),
            ("max-age=x", 0), ("s-maxage=60", 0), ("max-age=99999999999999", Int(Int32.max)),
        ]
    )
    func cacheControl(text: String, seconds: Int) {
        #expect(Revalidation.lifetime(text) == .seconds(seconds))
    }

    @Test("Only a known age is trusted, and never with `always`")
    func trust() {
        let old = HeldOriginal(file: nil, bytes: 1, digest: "", validators: Validators())
        var young = old
        young.age = .seconds(10)
        young.validators.cacheControl = "max-age=11"
        #expect(!Revalidation.always.trusts(young))
        #expect(Revalidation.cacheControl.trusts(young))
        #expect(Revalidation.age(.seconds(11)).trusts(young))
        #expect(!Revalidation.age(.seconds(10)).trusts(young))
        var mirrored = young
        mirrored.validators.fileStamp = "1-2-3"
        #expect(!Revalidation.age(.seconds(11)).trusts(mirrored))
        #expect(!Revalidation.age(.seconds(10)).trusts(old))
        #expect(!Revalidation.cacheControl.trusts(old))
    }

    @Test("Pictures that are cut have no end, whole ones do")
    func ends() {
        let webp = Array("RIFF".utf8) + [92, 0, 0, 0] + Array("WEBP".utf8)
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
        #expect(PictureEnd.isThere(head: webp, tail: [], bytes: 100))
        #expect(!PictureEnd.isThere(head: webp, tail: [], bytes: 99))
        #expect(PictureEnd.isThere(head: jpeg, tail: [1, 0xFF, 0xD9, 0, 0], bytes: 9))
        #expect(!PictureEnd.isThere(head: jpeg, tail: [1, 0xFF], bytes: 6))
        #expect(PictureEnd.isThere(head: Picture.gif(), tail: [0x3B], bytes: 100))
        #expect(!PictureEnd.isThere(head: Picture.gif(), tail: [0], bytes: 99))
        #expect(
            PictureEnd.isThere(head: Picture.png, tail: Array(Picture.png.suffix(32)), bytes: 62)
        )
        #expect(!PictureEnd.isThere(head: Picture.png, tail: [], bytes: 20))
        #expect(PictureEnd.isThere(head: [0x49, 0x49, 0x2A, 0], tail: [], bytes: 20))
    }
}
