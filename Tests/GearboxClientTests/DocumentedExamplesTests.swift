import Foundation
import GearboxClient
import TestSupport
import Testing

@Suite("The examples of docs/client.md")
struct DocumentedExamplesTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        var sample = SampleIndex()
        sample.sources = [.init(path: "/p.jpg")]
        sample.variants = [
            .init(
                key: "/p.jpg?imageView=1&quality=89&thumbnail=256x256",
                source: "/p.jpg",
                mode: "x",
                width: 256,
                height: 128,
                file: "store/p.jpg"
            )
        ]
        try sample.write(to: scratch.file("index.sqlite"))
    }

    /// Lines without what indents them, which differs.
    private func trimmed(_ text: some StringProtocol) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: true)
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
            .joined(separator: "\n")
    }

    @Test("are code that is compiled with these tests")
    func compiled() throws {
        let folder = Program.root + "/Tests/GearboxClientTests/Examples"
        let code = try FileManager.default.contentsOfDirectory(atPath: folder).map {
            trimmed(try String(contentsOfFile: folder + "/" + $0, encoding: .utf8))
        }
        let page = try String(contentsOfFile: Program.root + "/docs/client.md", encoding: .utf8)
        let blocks = page.components(separatedBy: "```swift\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        #expect(blocks.count >= 8)
        for block in blocks {
            let text = trimmed(block)
            #expect(code.contains { $0.contains(text) }, "\(block)")
        }
    }

    @Test("do what the page says")
    func run() async throws {
        let shown = try OpeningExamples.open(cacheDirectory: scratch.path)
        #expect(shown == "fetch /a.jpg?imageView=1&quality=89&thumbnail=256y256")
        let index = try RelationIndex(path: scratch.file("index.sqlite"))
        #expect(try OpeningExamples.accept(index, "http://h/p.jpg?param=200x200").result == .exact)
        #expect(try OpeningExamples.fit(index).result == .miss)

        let loader = PictureLoader<String>(index: index, costLimit: 1 << 20) { place, transform in
            DecodedPicture(
                "\(place) \(transform?.scale?.width ?? 0)",
                size: PixelSize(width: 256, height: 128)
            )
        }
        let url = "http://h/p.jpg?param=200x200"
        #expect(loader.pictureInMemory(url) == nil)
        let loaded = try await loader.picture(url)
        #expect(loaded.picture == "file(\"\(scratch.path)/store/p.jpg\") 0")
        #expect(loader.pictureInMemory("http://h/p.jpg?param=90x90")?.size.width == 90)
        loader.memoryIsShort()
        try loader.forget(url)
        #expect(loader.pictureInMemory(url) == nil)

        let server = try PictureServer(cacheDirectory: scratch.path, cores: 2)
        #expect(
            server.reply(to: url, accepting: ["jpg"])
                == .file(path: scratch.path + "/store/p.jpg", contentType: "image/jpeg")
        )
        #expect(
            server.reply(to: "http://h/p.jpg?param=90x90", accepting: ["jpg"])
                == .redirect(to: "http://h/p.jpg?imageView=1&quality=89&thumbnail=90x90")
        )
        guard case .badRequest = server.reply(to: "p.jpg", accepting: []) else {
            Issue.record("a URL without a host is taken")
            return
        }
    }
}
