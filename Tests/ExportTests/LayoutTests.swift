import Export
import GearboxIndex
import TestSupport
import Testing

@Suite("The layouts of libraries")
struct LayoutTests {
    private let url = "https://img.example.com/photos/2024/cat.jpg"

    @Test(
        "name a worked key as their libraries do",
        arguments: [
            (
                "sdwebimage",
                "com.hackemist.SDImageCache/default/1fe7e033e1b7851975405702e2c838a1.jpg"
            ),
            (
                "kingfisher",
                "com.onevcat.Kingfisher.ImageCache.default/"
                    + "aaebdcb0a8a5f1dac9275fb47bcf9e6885363b77f410fd902fe868d3406d2eca"
            ),
            ("nuke", "com.github.kean.Nuke.DataCache/29920fcb2157b45f9b41b7121f492c901e3032f7"),
            (
                "glide",
                "image_manager_disk_cache/"
                    + "aaebdcb0a8a5f1dac9275fb47bcf9e6885363b77f410fd902fe868d3406d2eca.0"
            ),
            (
                "coil",
                "coil3_disk_cache/"
                    + "aaebdcb0a8a5f1dac9275fb47bcf9e6885363b77f410fd902fe868d3406d2eca.1"
            ),
            ("fresco-3.6", "image_cache/v2.ols100.1/4/KZIPyyFXtF-bQbcSH0kskB4wMvc.cnt"),
            ("fresco-3.7", "image_cache/v2.ols100.1/4.0/KZIPyyFXtF-bQbcSH0kskB4wMvc.cnt"),
            ("fresco", "image_cache/v2.ols100.1/4.0/KZIPyyFXtF-bQbcSH0kskB4wMvc.cnt"),
            (
                "pinremoteimage",
                "com.pinterest.PINDiskCache.PINRemoteImageManagerCache/"
                    + "https%3A%2F%2Fimg%2Eexample%2Ecom%2Fphotos%2F2024%2Fcat%2Ejpg"
            ),
        ]
    )
    func workedKey(layout: String, path: String) throws {
        // As a key without a host, the URL itself is one: every byte of it is hashed.
        let cache = try SmallCache([Picture(url, text: "a cat")])
        let report = try cache.export(layout, ExportOptions(key: .key))
        #expect(cache.exported().contains(path), "\(cache.exported())")
        #expect(report.names == 1 && report.files == 1 && report.bytes == 5)
    }

    @Test("keep the journals that Glide and Coil want, lines ended, Coil's with empty metadata")
    func journals() throws {
        let cache = try SmallCache([Picture(url, text: "a cat")])
        let digest = "aaebdcb0a8a5f1dac9275fb47bcf9e6885363b77f410fd902fe868d3406d2eca"
        for (layout, journal) in [
            ("glide", "libcore.io.DiskLruCache\n1\n1\n1\n\nCLEAN \(digest) 5\n"),
            ("coil", "libcore.io.DiskLruCache\n1\n3\n2\n\nCLEAN \(digest) 0 5\n"),
        ] {
            try cache.export(layout, to: layout, ExportOptions(key: .key))
            let file = try #require(cache.exported(layout).first { $0.hasSuffix("/journal") })
            #expect(try cache.scratch.read("\(layout)/\(file)") == journal)
        }
        #expect(try cache.scratch.read("coil/coil3_disk_cache/\(digest).0") == "")
    }

    @Test(
        "do as an independent statement of them says, on keys of every kind",
        arguments: libraries
    )
    func independent(layout: String) throws {
        let long = String(repeating: "l", count: 190)
        let cache = try SmallCache([
            Picture("/a.JPG", aliases: ["/a.JPG?w=1&h=2", "/b.jpg"]),
            Picture("/b.jpg", format: "webp"), Picture("/folder.d/plain"), Picture("/.hidden"),
            Picture("/dot."), Picture("/"), Picture("/é/ü.png?ö"), Picture("/a b.jpg"),
            Picture("/x.y.z?q=/r.s"), Picture("/p.a%20b"), Picture("/c.a:b"), Picture("/s.jpg/"),
            Picture("/\(long).jpg"), Picture("/" + String(repeating: ":", count: 120) + "x"),
            Picture("/l." + String(repeating: "e", count: 222)),
            Picture("/l." + String(repeating: "e", count: 223)),
            Picture("/pipe.jpg?a|b.c"), Picture("/a.JPG", origin: "other.example:8080"),
        ])
        for options in [
            ExportOptions(), ExportOptions(scheme: .http, hosts: ["b.example"]),
            ExportOptions(selection: .init(origins: ["pictures"]), key: .key),
        ] {
            let out = "out-\(options.key)-\(options.scheme)"
            let report = try cache.export(layout, to: out, options)
            var words = [
                "Tests/ExportTests/check_export.py", cache.path, cache.scratch.file(out), layout,
                "--key", options.key.rawValue, "--scheme", options.scheme.rawValue, "--left-out",
                "\(report.refusals)",
            ]
            for host in options.hosts { words += ["--host", host] }
            for origin in options.selection.origins { words += ["--origin", origin] }
            let judged = try Program.run("/usr/bin/python3", words)
            #expect(judged.status == 0, "\(judged.output)\(judged.errors)")
        }
    }

    static let libraries = Layouts.all.filter(\.takesKeys).map(\.name)

    @Test("leave out and count what their libraries or disks would not tell apart")
    func refusals() throws {
        let cache = try SmallCache([
            Picture("/Case.jpg"), Picture("/case.jpg"),
            Picture("/" + String(repeating: ".", count: 190)), Picture("/a.x y"),
        ])
        let pin = try cache.export("pinremoteimage", to: "pin", ExportOptions(key: .key))
        #expect(pin.refused.mapValues(\.count) == [.sameButForCase: 1, .tooLong: 1])
        #expect(pin.refused[.sameButForCase]?.first == "/case.jpg")
        #expect(pin.names == 2)
        let other = try cache.export("sdwebimage", to: "sd", ExportOptions(key: .key))
        #expect(other.refused.mapValues(\.count) == [.uncertainName: 1])
        #expect(try cache.export("nuke", to: "nuke", ExportOptions(key: .key)).refusals == 0)
    }
}
