import Foundation
import PictureSupport
import TestSupport
import Testing

/// `gearbox resolve --output`: what a client shows, held against the variants themselves.
@Suite("The picture that a client shows", .serialized)
struct ShownPictureTests {
    private let scratch: Scratch
    private static let isSoaking = ProcessInfo.processInfo.environment["GEARBOX_SOAK"] == "1"

    /// The folders of the mirror: each holds the same photographs, stored in another way.
    private static let kinds = [
        "png": "quality=89&type=png", "webp89": "quality=89&type=webp",
        "webp100": "quality=100&type=webp", "jpg89": "quality=89&type=jpg",
        "jpg100": "quality=100&type=jpg",
    ]

    init() throws { scratch = try Scratch() }

    /// Makes the variants of a manifest in a cache of its own.
    private func run(_ entries: [String], into cache: String) throws {
        try scratch.writeManifest(entries)
        try scratch.write(
            """
            { manifests: ["urls.txt"], cache: "\(cache)", variants: { modes: ["x", "y", "z"] },
              origins: [{ name: "o", hosts: ["h"], sources: [{ mirror: "origin" }] }] }
            """,
            to: "p.json5"
        )
        let ran = try Program.gearbox("run", scratch.file("p.json5"), "--quiet")
        try #require(ran.status == 0, "\(ran.errors)")
    }

    private func resolve(_ cache: String, _ arguments: String...) throws -> Program {
        try Program.run(
            Program.gearbox,
            ["resolve", "--cache", scratch.file(cache), "--json"] + arguments
        )
    }

    /// Photographs in every folder of the mirror.
    private func photographs() throws -> [String] {
        var folder = "\(Program.root)/fixtures/origin/covers/2024"
        var names = ["album-01.jpg", "album-05.webp"]
        if Self.isSoaking {
            let drawn = try Program.run(
                "/bin/bash",
                ["bench/photos.sh", scratch.file("drawn"), "16", "h", "1200"]
            )
            try #require(drawn.status == 0, "\(drawn.errors)")
            folder = scratch.file("drawn/origin/photos")
            names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        }
        for kind in Self.kinds.keys {
            try scratch.write("", to: "origin/\(kind)/none")
            _ = try Program.run(
                "/bin/cp",
                names.map { "\(folder)/\($0)" } + [scratch.file("origin/\(kind)")]
            )
        }
        return names
    }

    @Test(
        "by reuse has exactly the variant's size and all but its pixels, from PNG or quality 89 up"
    )
    func closeness() throws {
        let names = try photographs()
        // As PNG a variant has its pixels; what an encoder of quality 89 does to thirty pixels of a
        // colourful photograph is more than all that reuse does.
        let variants = Self.kinds.keys.sorted().flatMap { kind in
            names.map { "\(kind)/\($0)?imageView=1&\(Self.kinds["png"] ?? "")" }
        }
        let pictures = Self.kinds.keys.sorted().flatMap { kind in
            names.map { "\(kind)/\($0)?imageView=1&\(Self.kinds[kind] ?? "")" }
        }
        try run(pictures.map { $0 + "&thumbnail=720x720" }, into: "held")
        let boxes = ["256x256", "315x180"] + (Self.isSoaking ? ["30x60", "90x90", "512x512"] : [])
        try run(
            variants.flatMap { variant in boxes.map { "\(variant)&thumbnail=\($0)" } },
            into: "made"
        )
        func urls(_ pictures: [String]) -> [String] {
            pictures.flatMap { picture in
                boxes.flatMap { box in
                    ["x", "y", "z"].map { mode in
                        let size = box.replacingOccurrences(of: "x", with: mode)
                        return "http://h/\(picture)&thumbnail=\(size)"
                    }
                }
            }
        }
        let made = try Program.gearbox(
            "resolve",
            "--cache",
            scratch.file("made"),
            "--json",
            input: urls(variants).joined(separator: "\n")
        )
        try #require(made.lines.count == urls(pictures).count)

        var pairs: [String] = []
        for (url, line) in zip(urls(pictures), made.lines) {
            let exact = try JSONText(line)
            try #require(exact.text("result") == "exact", "\(url)")
            let output = scratch.file("\(pairs.count).png")
            let shown = try resolve("held", "--output", output, url)
            let answer = try JSONText(shown.lines.first ?? "")
            try #require(answer.text("result") == "reuse", "\(url) \(shown.errors)")
            pairs.append("\(output) \(scratch.file("made/" + (exact.text("file") ?? "")))")
        }
        let compared = try Pillow.run(
            """
            for pair in \(pairs):
                shown, made = (Image.open(path) for path in pair.split())
                print(decibels(shown, made) if shown.size == made.size else 0)
            """,
            in: scratch
        )
        let decibels = compared.split(separator: "\n").compactMap { Double($0) }.sorted()
        try #require(decibels.count == pairs.count && pairs.count >= 60)
        let median = decibels[decibels.count / 2]
        print("reuse: \(pairs.count) pictures, worst \(decibels[0]) dB, median \(median) dB")
        #expect(decibels[0] >= 30)
        #expect(median > 38)
    }

    @Test("is fitted to the request, written in the format of its name, or the very file")
    func formats() throws {
        let folder = "\(Program.root)/fixtures/origin"
        for (file, name) in [
            ("alpha/disc.png", "a.png"), ("covers/2024/album-01.jpg", "p.jpg"),
        ] {
            try scratch.write("", to: "origin/none")
            _ = try Program.run("/bin/cp", ["\(folder)/\(file)", scratch.file("origin/" + name)])
        }
        try run(["p.jpg?param=200x200&type=webp", "a.png?param=90x90"], into: "cache")
        let url = "http://h/p.jpg?param=200x200&type=webp"
        for (name, format) in [
            ("a.jpg", "JPEG"), ("a.JPEG", "JPEG"), ("a.webp", "WEBP"), ("a.gif", "GIF"),
            ("a.png", "PNG"), ("a", "PNG"), ("folder/b.avif", "AVIF"),
        ] {
            try scratch.write("", to: "folder/none")
            let output = scratch.file(name)
            let shown = try resolve("cache", "--fit", "request", "--output", output, url)
            #expect(shown.status == 0, "\(shown.errors)")
            let answer = try JSONText(shown.lines.first ?? "")
            #expect(answer.text("result") == "exact")
            #expect(answer.integer("width") == 200 && answer.integer("height") == 133)
            #expect(answer.inner("transform")?.inner("scale")?.integer("width") == 200)
            #expect(answer.inner("transform")?.isNull("crop") == true)
            if format == "AVIF" {
                #expect(
                    try scratch.bytes(of: name).dropFirst(4).prefix(8)
                        == Array("ftypavif".utf8)[...]
                )
                continue
            }
            let reading = try Pillow.read(output, in: scratch)
            #expect(reading.format == format)
            #expect(reading.width == 200 && reading.height == 133)
        }
        let same = scratch.file("same.webp")
        let answer = try JSONText(resolve("cache", "--output", same, url).lines.first ?? "")
        #expect(answer.isNull("transform"))
        #expect(
            try scratch.bytes(of: "same.webp")
                == scratch.bytes(of: "cache/" + (answer.text("file") ?? ""))
        )
        // Alpha lies on white where the format has none.
        let flat = scratch.file("flat.jpg")
        #expect(try resolve("cache", "--output", flat, "http://h/a.png?param=90x90").status == 0)
        #expect(try Pillow.read(flat, in: scratch).mode == "RGB")
        #expect(try scratch.names().allSatisfy { !$0.contains("-") }, "no temporary file is left")
    }

    @Test(
        "is not written where the file is gone or damaged, nothing answers, or there is no folder"
    )
    func failures() throws {
        try scratch.write("", to: "origin/none")
        _ = try Program.run(
            "/bin/cp",
            [
                "\(Program.root)/fixtures/origin/covers/2024/album-01.jpg",
                scratch.file("origin/p.jpg"),
            ]
        )
        try run(["p.jpg?param=90x90"], into: "cache")
        let url = "http://h/p.jpg?param=90x90"
        let output = scratch.file("out.png")
        let missed = try resolve("cache", "--output", output, "http://h/q.jpg?param=90x90")
        #expect(missed.status == 0)
        #expect(missed.errors.contains("\(output) is not written"))

        let answer = try JSONText(resolve("cache", url).lines.first ?? "")
        let file = "cache/" + (answer.text("file") ?? "")
        let nowhere = try resolve("cache", "--output", scratch.file("no/out.png"), url)
        #expect(nowhere.status == 4)
        #expect(nowhere.errors.contains("\(scratch.file("no/out.png")): "), "\(nowhere.errors)")
        var bytes = try scratch.bytes(of: file)
        bytes[bytes.count / 2] ^= 0x55
        _ = try scratch.write(bytes, as: file)
        let damaged = try resolve("cache", "--output", output, url)
        #expect(damaged.status == 4)
        #expect(damaged.errors.contains("the file is damaged"), "\(damaged.errors)")
        _ = try Program.run("/bin/rm", [scratch.file(file)])
        let gone = try resolve("cache", "--output", output, url)
        #expect(gone.status == 4)
        #expect(gone.errors.contains("\(scratch.file(file)): the file is not there"))
        #expect(gone.output == "")
        #expect(!(try scratch.names().contains("out.png")))
    }
}
