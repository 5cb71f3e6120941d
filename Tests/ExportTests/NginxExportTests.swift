import Export
import PictureSupport
import TestSupport
import Testing

@Suite("A tree for nginx")
struct NginxExportTests {
    /// Serves an export of pictures and asks for each, and for what is none.
    private func judge(_ pictures: [Picture]) throws -> (report: ExportReport, judged: Program) {
        let cache = try SmallCache(pictures)
        let report = try cache.export("nginx")
        let out = cache.scratch.file("out")
        let nginx = try Nginx(serving: out, configuration: out)
        let taken = report.refused[.taken]?.count ?? 0
        let judged = try Program.python(
            "Tests/ExportTests/ask_nginx.py",
            cache.path,
            "\(nginx.port)",
            "--left-out",
            "\(report.refusals - taken)"
        )
        return (report, judged)
    }

    @Test("answers keys that file systems and servers read in their own way")
    func hardKeys() throws {
        let long = String(repeating: "x", count: 249)
        let query = String(repeating: "0123456789", count: 200)
        let keys = [
            "/", "/?", "/?/", "//", "/a", "/a/", "/a/b", "/a//b", "/a?", "/a??", "/a?b/c", "/a?b",
            "/a?b/c/..", "/a%2Fb", "/a%2fb", "/A", "/a/.", "/a/./b", "/a/../b", "/a/...",
            "/a?../../b",
            "/%252E", "/a.jpg?x-oss-process=image/resize,w_100/format,webp",
            "/a?imageView2/1/w/9/h/9",
            "/\(long)", "/\(long)x", "/\(long)?x", "/a?\(query)", "/a?\(query)/",
            "/b?" + query.dropLast(),
            "/s?" + String(repeating: "/", count: 31), "/a b", "/ü", "/a|b", "/a%7Cb", "/a?b|c",
            "/-", "/ - /", "/a/ /b", "/$host/$1?$args", "/a\\b", "/\"q\"", "/a;b{c}", "/a?%zz",
            "/a?%00",
            "/~.jpg", "/tree/jpg/pictures/a?",
        ]
        let formats = ["jpg", "webp", "png", "gif", "avif", "bin", "heif", "html"]
        let pictures = keys.enumerated().map { index, key in
            Picture(key, format: formats[index % formats.count])
        }
        let (report, judged) = try judge(
            pictures + [Picture("/a", origin: "other.example:8080", format: "webp")]
        )
        #expect(judged.status == 0, "\(judged.output)\(judged.errors)")
        #expect(report.refused.mapValues(\.count) == [.taken: 1], "\(report.refused)")
    }

    @Test("counts what it cannot hold or nginx does not take, and nothing of it is answered")
    func refusals() throws {
        let (report, judged) = try judge(
            [
                "/ok", "/../a", "/a/../../b", "/%2E%2E/a", "/a%00b", "/a%zz", "/a%", "/%2e%2e%2fx",
                "/" + String(repeating: "x", count: 256) + "/a",
                "/a?" + String(repeating: "y", count: 2_400),
                "/a?" + String(repeating: "/", count: 32),
                "/a" + String(repeating: "/./b/.", count: 3),
            ].map { Picture($0) }
        )
        #expect(judged.status == 0, "\(judged.output)\(judged.errors)")
        #expect(
            report.refused.mapValues(\.count) == [.notServed: 7, .tooLong: 2, .tooDeep: 2],
            "\(report.refused)"
        )
        #expect(report.names == 1)
    }

    @Test("answers whatever keys there are, or counts them: a seeded sample")
    func anyKeys() throws {
        var generator = SeededGenerator(seed: .random(in: 0 ... .max))
        let seed = generator.seed
        let pieces = [
            "/", "/", "/", "?", "?", ".", "..", "a", "b", "%2F", "%2e", "%41", "%", " ", "é", "&",
            "=",
            "|", "-", "$1", "\\", "\"", "{", String(repeating: "n", count: 120),
        ]
        var keys: Set<String> = []
        for _ in 0..<(SeededGenerator.isSoaking ? 20_000 : 400) {
            let count = Int.random(in: 0...9, using: &generator)
            keys.insert(
                "/" + (0..<count).map { _ in pieces.randomElement(using: &generator)! }.joined()
            )
        }
        let (report, judged) = try judge(keys.sorted().map { Picture($0) })
        #expect(judged.status == 0, "seed \(seed): \(judged.output)\(judged.errors)")
        #expect(report.names > keys.count / 2, "seed \(seed)")
    }
}
