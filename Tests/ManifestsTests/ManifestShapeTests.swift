import Manifests
import Testing

@Suite("A manifest's shape")
struct ManifestShapeTests {
    @Test(
        "is told by the file's name",
        arguments: [
            ("/a/urls.txt", ManifestFormat.text), ("-", .text), ("urls", .text),
            ("a.csv.d/urls", .text),
            ("a.csv", .csv), ("A.CSV.GZ", .csv), ("a.tsv.zst", .tsv), ("a.tab", .tsv),
            ("a.jsonl", .jsonl), ("a.ndjson.gz", .jsonl), ("access.log", .clf), ("a.log.gz", .clf),
            ("access.log.1", .clf), ("access.log.12.gz", .clf), ("access.log-20261130.gz", .clf),
            ("urls-2026.txt", .text), ("urls.gz", .text), (".csv", .csv), ("a.csv.bak", .text),
        ]
    )
    func guess(name: String, format: ManifestFormat) {
        #expect(ManifestFormat(fileName: name) == format)
    }

    @Test("takes a base that is a scheme and a host, for access logs")
    func base() throws {
        for good in ["https://h", "http://h.test:8080/", "http://[::1]:80"] {
            var shape = ManifestShape(.clf)
            try shape.set(column: nil, base: good)
            #expect(shape.base == (good.last == "/" ? String(good.dropLast()) : good))
        }
        for bad in [
            "h", "//h", "https://", "https:///", "https://h/a", "https://u@h", "ftp://h",
            "http://:80",
        ] {
            var shape = ManifestShape(.clf)
            #expect(throws: ManifestShape.Problem.self) { try shape.set(column: nil, base: bad) }
        }
        var text = ManifestShape(.text)
        #expect(throws: ManifestShape.Problem.self) { try text.set(column: nil, base: "http://h") }
        #expect(throws: ManifestShape.Problem.self) { try text.set(column: "a", base: nil) }
    }
}
