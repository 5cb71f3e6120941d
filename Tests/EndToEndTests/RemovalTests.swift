import Foundation
import LoopbackServers
import TestSupport
import Testing

@Suite("A removal")
struct RemovalTests {
    private let scene: UpkeepScene

    init() throws { scene = try UpkeepScene(pictures: "abc") }

    @Test(
        "takes a source, its variants, aliases and original out at once, from the index before, too"
    )
    func whole() throws {
        #expect(try scene.run("ab").status == 0)
        #expect(try scene.run("abc").status == 0)
        let before = scene.files(in: "store").count
        let removed = try scene.upkeep("remove", "http://h/a.jpg?param=90y90")
        #expect(removed.status == 0, "\(removed.errors)")
        #expect(removed.output.contains("the last manifests name 1 of them"), "\(removed.output)")
        #expect(try scene.published() == "bc")
        #expect(scene.files(in: "store").count == before - before / 3)
        #expect(scene.files(in: "originals").count == 2)
        #expect(try scene.state("SELECT count(*) FROM source WHERE path LIKE '/a.jpg%'") == ["0"])
        let lost = "SELECT count(*) FROM alias WHERE source_id NOT IN (SELECT id FROM source)"
        #expect(try scene.state(lost) == ["0"])
        try scene.expectWhole()
        try scene.expectClean()

        let unknown = try scene.upkeep("remove", "http://h/a.jpg", "http://h/c.jpg", "no url")
        #expect(unknown.status == 1)
        #expect(unknown.errors.contains("http://h/a.jpg: no run has made anything of it"))
        #expect(unknown.errors.contains("no url: "))
        #expect(try scene.published() == "b")

        #expect(try scene.run("ab").entries.map(\.outcome) == ["produced", "reused"])
        #expect(try scene.published() == "ab")
        try scene.expectClean()
    }

    @Test("leaves a file that another source has, too")
    func shared() throws {
        try FileManager.default.copyItem(
            atPath: scene.scratch.file("origin/a.jpg"),
            toPath: scene.scratch.file("origin/d.jpg")
        )
        #expect(try scene.run("ad").status == 0)
        let before = scene.files(in: "store") + scene.files(in: "originals")
        let removed = try scene.upkeep("remove", "http://h/d.jpg", "--json")
        #expect(removed.status == 0)
        let whole = try JSONText(try #require(removed.lines.last))
        #expect(whole.integer("files") == 0)
        #expect(whole.integer("sharedFiles") == before.count)
        #expect(scene.files(in: "store") + scene.files(in: "originals") == before)
        #expect(try scene.published() == "a")
        try scene.expectClean()
    }

    @Test("takes an opaque URL and a signed one by the URL that was asked for")
    func verbatim() async throws {
        let picture = try scene.scratch.bytes(of: "origin/a.jpg")
        let other = try scene.scratch.bytes(of: "origin/b.jpg")
        let server = try await ScriptedServer.start([
            "/o.jpg": [.body(picture)], "/s.jpg": [.body(other)],
        ])
        let urls = ["/o.jpg?watermark=1", "/s.jpg?token=secret"].map { server.url($0) }
        try scene.scratch.write(urls.map { $0 + "\n" }.joined(), to: "urls.txt")
        try scene.scratch.write(
            """
            { manifests: ["urls.txt"], cache: "cache", network: { allowPrivateAddresses: true } }
            """,
            to: "night.json5"
        )
        #expect(
            try Program.gearbox("run", scene.scratch.file("night.json5"), "--quiet").status == 0
        )
        try scene.expectClean()
        for (url, left) in zip(urls, [1, 0]) {
            let removed = try scene.upkeep("remove", url)
            #expect(removed.status == 0, "\(removed.errors)")
            #expect(!removed.output.contains("secret"))
            #expect(scene.files(in: "originals").count == left)
            try scene.expectClean()
        }
        #expect(scene.files(in: "store") == [])
    }

    @Test("that is stopped before it has published, or before files are gone, is finished later")
    func stopped() throws {
        #expect(try scene.run("ab").status == 0)
        try scene.scratch.block("cache/previous")
        #expect(try scene.upkeep("remove", "http://h/a.jpg").status == 4)
        #expect(try scene.published() == "ab")
        try scene.expectWhole()
        try FileManager.default.removeItem(atPath: scene.cache + "/previous")
        // The state knows it no more, the index does.
        #expect(try scene.upkeep("remove", "http://h/a.jpg").status == 0)
        #expect(try scene.published() == "b")
        try scene.expectClean()

        let file = try #require(scene.files(in: "originals").first)
        let original = scene.cache + "/" + file
        try FileManager.default.moveItem(atPath: original, toPath: original + "-aside")
        try scene.scratch.write("", to: "cache/\(file)/in-the-way")
        #expect(try scene.upkeep("remove", "http://h/b.jpg").status == 4)
        #expect(try scene.published() == "")
        try FileManager.default.removeItem(atPath: original)
        try FileManager.default.moveItem(atPath: original + "-aside", toPath: original)
        #expect(try scene.run("").status == 0)
        #expect(scene.files(in: "originals") + scene.files(in: "store") == [])
    }
}
