import Foundation
import TestSupport
import Testing

/// What the demo has published, in the layout of each library and of a server.
@Suite("The demo, exported", .serialized)
struct ExportTests {
    private let scratch: Scratch
    private let cache: String

    init() throws {
        scratch = try Scratch()
        cache = scratch.file("cache")
        _ = try Program.gearbox("run", "pipelines/demo.json5", "--cache", cache, "--quiet")
    }

    /// One test, because one run of the demo does for all of it.
    @Test("serves each library, nginx, and an app's bundle, and is whole or not there")
    func demo() throws {
        try libraries()
        try nginx()
        try bundle()
        try whole()
    }

    private func export(_ layout: String, _ flags: String..., to name: String = "out") throws
        -> Program
    {
        let out = scratch.file(name)
        return try Program.run(
            Program.gearbox,
            ["export", "--cache", cache, "--layout", layout] + flags + [out]
        )
    }

    /// What each library would have written, by an independent statement of its recipe.
    private func libraries() throws {
        for layout in [
            "sdwebimage", "kingfisher", "nuke", "glide", "coil", "fresco-3.6", "fresco-3.7",
            "pinremoteimage",
        ] {
            // Two names of the demo have spaces, which systems read differently in SDWebImage's names.
            let leftOut = layout == "sdwebimage" ? 6 : 0
            let exported = try export(layout)
            // They are aliases: each variant has its own name.
            #expect(exported.status == 0, "\(layout): \(exported.errors)")
            #expect(exported.errors.hasPrefix("gearbox: 6 names left out") == (leftOut > 0))
            #expect(exported.output.hasPrefix("\(scratch.file("out")): \(2193 - leftOut) names, "))
            let judged = try Program.python(
                "Tests/ExportTests/check_export.py",
                cache,
                scratch.file("out"),
                layout,
                "--left-out",
                "\(leftOut)"
            )
            #expect(judged.status == 0, "\(layout): \(judged.output)\(judged.errors)")
        }
        #expect(try scratch.names() == ["cache", "out"])
    }

    /// Every canonical URL and alias is answered with its bytes and type, and no other.
    private func nginx() throws {
        let exported = try export("nginx")
        #expect(exported.status == 0, "an alias alone is left out")
        #expect(
            exported.errors == """
                gearbox: 1 name left out that a server refuses to look for, as \
                /../../covers/2024/album-02.jpg?imageView=1&thumbnail=60x60

                """
        )
        let nginx = try Nginx(serving: scratch.file("out"), configuration: scratch.file("out"))
        let judged = try Program.python(
            "Tests/ExportTests/ask_nginx.py",
            cache,
            "\(nginx.port)",
            "--left-out",
            "1",
            "--every",
            "10"
        )
        #expect(judged.status == 0, "\(judged.output)\(judged.errors)")
        #expect(judged.output.hasPrefix("2193 requests answered, 1 refused"), "\(judged.output)")
    }

    /// A bundle resolves as the whole cache does, of what it has.
    private func bundle() throws {
        let cover = "https://p1.music.126.net/covers/2024/album-01.jpg"
        let flags = ["--path", "/covers/*", "--gear", "120", "--gear", "256"]
        let out = scratch.file("out")
        let exported = try Program.run(
            Program.gearbox,
            ["export", "--cache", cache, "--layout", "index"] + flags + [out]
        )
        #expect(exported.status == 0, "\(exported.errors)")
        for (url, same) in [
            (cover + "?param=200y200", true), (cover + "?thumbnail=110x110&type=webp", true),
            (cover + "?param=1000y1000", false),
            ("https://p1.music.126.net/avatars/user-01.jpg?thumbnail=60x60", false),
        ] {
            let whole = try Program.gearbox("resolve", "--cache", cache, "--json", url)
            let small = try Program.gearbox("resolve", "--cache", out, "--json", url)
            #expect((whole.output == small.output) == same, "\(whole.output)\(small.output)")
            #expect(small.output.contains("\"result\":\"miss\"") == !same)
            guard let file = try JSONText(small.output).text("file") else { continue }
            #expect(try scratch.bytes(of: "out/" + file) == scratch.bytes(of: "cache/" + file))
        }
        let hot = try export("index", "--min-hits", "5", to: "hot")
        #expect(hot.status == 0, "\(hot.errors)")
        #expect(hot.output.hasPrefix("\(scratch.file("hot")): "))
        let top = try export("index", "--top", "1", to: "top")
        #expect(top.output.hasPrefix("\(scratch.file("top")): 1 names, 1 files"), "\(top.output)")
        try FileManager.default.removeItem(atPath: cache + "/state.sqlite")
        #expect(try export("index", "--top", "1", to: "top").status == 4)
        let nothing = try export("index", "--gear", "31", to: "none")
        #expect(nothing.status == 1)
        #expect(nothing.errors.contains("no variant of the index is selected"))
        for name in ["hot", "top"] {
            try FileManager.default.removeItem(atPath: scratch.file(name))
        }
    }

    /// An export is all there, or as it was before.
    private func whole() throws {
        #expect(try export("glide").status == 0)
        let before = scratch.files().filter { $0.hasPrefix("out/") }
        let file = try #require(scratch.files().first { $0.hasPrefix("cache/store/") })
        try FileManager.default.removeItem(atPath: scratch.file(file))
        let failed = try export("nginx")
        #expect(failed.status == 4)
        #expect(failed.errors.contains(scratch.file(file)), "\(failed.errors)")
        #expect(scratch.files().filter { $0.hasPrefix("out/") } == before)
        let foreign = try export("glide", to: "cache")
        #expect(foreign.status == 2)
        #expect(try scratch.names() == ["cache", "out"])
    }
}
