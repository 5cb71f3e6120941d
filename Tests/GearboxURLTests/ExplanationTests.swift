import GearboxURL
import Testing

@Suite("An explanation")
struct ExplanationTests {
    private let canonicalizer = Canonicalizer(
        rules: CanonicalRules(
            origins: [
                OriginRules(name: "music", hosts: ["p1.music.example"], drop: ["utm_*"]),
                OriginRules(name: "strict", hosts: ["s"], keep: ["k"], unknown: .drop),
            ],
            defaultScheme: "https"
        )
    )

    struct Case: Sendable, CustomTestStringConvertible {
        let url: String
        let sentences: [String]
        var testDescription: String { url }
    }

    @Test(
        "says what was read, rounded, dropped and classified",
        arguments: [
            Case(
                url: "HTTP://P1.music.example/a/../%7Eb.jpg?param=140y100&utm_source=x&v=1#top",
                sentences: [
                    "Scheme, host and port were normalised to http://p1.music.example.",
                    "The host is of the origin music, whose dialect is nos.",
                    "The fragment behind # is never sent and was dropped.",
                    "The path was normalised to /~b.jpg.",
                    "Asked for: mode y (fill the box and crop), 140 by 100.",
                    "The longer side 140 goes up to the gear 180: 180 by 128.",
                    "No quality is asked for, which means 75, which goes up to the gear 89.",
                    "No format is asked for: the source's own decides.",
                    "The parameter utm_source was dropped by the pattern utm_*.",
                    "Kept, because they may change the bytes: v.",
                ]
            ),
            Case(
                url: "//h?thumbnail=2000x0&quality=100&type=webp&axis=1_1&tostatic=0&axis_5_5",
                sentences: [
                    "The URL begins with //: the default scheme https was taken.",
                    "The host is of the origin h, whose dialect is nos.",
                    "The empty path was made /.",
                    "axis was dropped: only mode y crops.",
                    "Asked for: mode x (fit inside the box), 2000 wide, as high as it comes.",
                    "The longer side 2000 is above the top gear 1024; overflow is step, so the next "
                        + "multiple of 256, at most 4096: 2048 wide, as high as it comes.",
                    "The quality is 100, which is a gear.",
                    "The format is webp.",
                    "An animation is kept.",
                    "axis_5_5 was dropped: without = it is no axis.",
                ]
            ),
            Case(
                url: "http://s/a?enlarge=1&interlace=0&stripmeta=1&tostatic=1&x=1&k=2&param=0x0",
                sentences: [
                    "The host is of the origin strict, whose dialect is nos.",
                    "A size of 0 by 0 is no size.",
                    "enlarge was dropped: there is no size.",
                    "interlace=0 was dropped: it is the default.",
                    "tostatic=1 was dropped: it is the default.",
                    "stripmeta was dropped: metadata is a matter of policy, not of the key.",
                    "No directive is left: this is the plain source.",
                    "The parameter x was dropped: unknown ones are not kept at this origin.",
                    "Kept, because they may change the bytes: k.",
                ]
            ),
            Case(
                url: "http://h/a?quality=80&quality=81",
                sentences: [
                    "The host is of the origin h, whose dialect is nos.",
                    "The URL is opaque: quality=81 contradicts the same directive before it.",
                    "It is fetched as given, stored under its own key and never related to a "
                        + "source.",
                ]
            ),
            Case(
                url: "http://h/a?Signature=secret&Expires=1&b=hidden",
                sentences: [
                    "The host is of the origin h, whose dialect is nos.",
                    "The URL is signed: it is fetched as given, and its key leaves the signature "
                        + "out.",
                    "It has no directives, so it is another way to fetch the source /a?b=hidden.",
                    "Kept, because they may change the bytes: b.",
                ]
            ),
            Case(
                url: "http://u:p@h/",
                sentences: [
                    "There is no key: the URL holds a user name or password before its host; "
                        + "remove everything up to @."
                ]
            ),
        ]
    )
    func sentences(example: Case) {
        #expect(canonicalizer.explanation(of: example.url).sentences == example.sentences)
    }

    @Test(
        "gives the reason why a URL is opaque",
        arguments: [
            ("a=1|2", "its query holds a |, which makes it a pipeline"),
            ("a?b", "its query holds a second ?"),
            ("crop=1", "crop=1 is more than a single resize"),
            ("type=bmp", "type=bmp is not in the grammar of the directive"),
        ]
    )
    func reasons(query: String, reason: String) {
        let sentences = canonicalizer.explanation(of: "http://h/a?" + query).sentences
        #expect(sentences.contains("The URL is opaque: \(reason)."))
    }

    @Test("exists for every URL and never tells a signature")
    func secrets() {
        let failure = Sample.failure(salt: 21) { generator in
            var pieces = URLGenerator.pieces(&generator)
            pieces.items.append("Signature=verysecret")
            let sentences = canonicalizer.explanation(of: pieces.url).sentences
            let isSafe = !sentences.isEmpty && !sentences.joined().contains("verysecret")
            return isSafe ? nil : pieces.url
        }
        #expect(failure == nil)
    }
}
