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
        try scratch.write(pairs.joined(separator: "\n"), to: "pairs.txt")
        let compared = try Pillow.run(
            """
            for pair in open('pairs.txt'):
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
        #expect(missed.status == 1)
        #expect(missed.errors.contains("\(output) is not written\n"))
        try scratch.write("yesterday's", to: "old.png")
        let old = scratch.file("old.png")
        let stale = try resolve("cache", "--output", old, "http://h/q.jpg?param=90x90")
        #expect(stale.status == 1)
        #expect(stale.errors.contains("\(old) is not written; what is there is older"))

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

    /// A cache with a photograph, a transparent disc and a picture wider than most formats hold.
    private func makeCache() throws {
        let folder = "\(Program.root)/fixtures/origin"
        try scratch.write("", to: "origin/none")
        for (file, name) in [
            ("alpha/disc.png", "a.png"), ("covers/2024/album-01.jpg", "p.jpg"),
        ] {
            _ = try Program.run("/bin/cp", ["\(folder)/\(file)", scratch.file("origin/" + name)])
        }
        _ = try Pillow.run(
            "Image.new('RGB', (20000, 4), (200, 10, 10)).save('\(scratch.file("origin/w.png"))')",
            in: scratch
        )
        try run(["p.jpg?param=90x90", "a.png?param=90x90&type=png", "w.png"], into: "cache")
    }

    @Test("goes where the user says: through links and pipes, to standard output, over no folder")
    func targets() throws {
        try makeCache()
        let url = "http://h/p.jpg?param=90x90"
        func show(_ target: String) throws -> Program {
            try Program.gearbox(
                "resolve",
                "--cache",
                "cache",
                "--output",
                target,
                url,
                in: scratch.path
            )
        }
        let files = FileManager.default
        try scratch.write("old", to: "deep/old.png")
        for (link, target) in [
            ("to-old.png", "deep/old.png"), ("to-new.png", "deep/new.png"),
            ("to-link", "to-new.png"),
            ("to-pipe", "pipe"), ("loop", "loop"),
        ] {
            try files.createSymbolicLink(
                atPath: scratch.file(link),
                withDestinationPath: target
            )
        }
        let before = try FileFacts.inode(scratch.file("deep/old.png"))
        for link in ["to-old.png", "to-new.png", "to-link"] {
            #expect(try show(link).status == 0)
            #expect(try files.destinationOfSymbolicLink(atPath: scratch.file(link)) != "")
        }
        for name in ["old", "new"] {
            #expect(try scratch.bytes(of: "deep/\(name).png").starts(with: Self.pngHead))
        }
        #expect(
            try FileFacts.inode(scratch.file("deep/old.png")) != before,
            "a reader of the old one keeps it whole"
        )
        #expect(try files.contentsOfDirectory(atPath: scratch.file("deep")).count == 2)

        // A pipe is written to, by its name and by a link, and stays one.
        for name in ["pipe", "to-pipe"] {
            let piped = try Program.run(
                "/bin/bash",
                [
                    "-c",
                    """
                    [ -p pipe ] || mkfifo pipe
                    timeout 20 cat pipe > read & timeout 20 "$0" resolve --cache cache --output \(name) \
                        '\(url)' > said
                    status=$?; wait; [ -p pipe ] && exit $status
                    """, Program.gearbox,
                ],
                in: scratch.path
            )
            #expect(piped.status == 0, "\(piped.errors)")
            #expect(try scratch.bytes(of: "read").starts(with: Self.pngHead))
        }
        let shown = try Program.run(
            "/bin/bash",
            ["-c", "\"$0\" resolve --cache cache --output - '\(url)' > out", Program.gearbox],
            in: scratch.path
        )
        #expect(shown.status == 0)
        #expect(try scratch.bytes(of: "out") == scratch.bytes(of: "deep/old.png"))

        try scratch.write("", to: "folder/none")
        for (target, words) in [("folder", "it is a folder"), ("loop", "too many symbolic links")] {
            let refused = try show(target)
            #expect(refused.status == 4)
            #expect(refused.errors.contains("\(target): "), "\(refused.errors)")
            #expect(refused.errors.contains(words), "\(refused.errors)")
        }
        #expect(try show("").status == 2)
        #expect(try scratch.names().allSatisfy { !$0.contains("-") || $0.hasPrefix("to-") })
    }

    private static let pngHead: [UInt8] = [0x89, 0x50, 0x4E, 0x47]

    @Test("lies on white in every format where jpg is asked for and the file is transparent")
    func flattened() throws {
        try makeCache()
        for (query, mode, isFlat) in [
            ("param=60x60&type=jpg", "RGB", true), ("param=60x60&type=png", "RGBA", false),
        ] {
            let output = scratch.file("\(isFlat).png")
            let shown = try resolve("cache", "--output", output, "http://h/a.png?\(query)")
            let answer = try JSONText(shown.lines.first ?? "")
            #expect(answer.text("result") == "reuse" && answer.text("format") == "png")
            #expect(shown.output.contains("\"flatten\":\(isFlat)"))
            #expect(try Pillow.read(output, in: scratch).mode == mode)
        }
        let corner = try Pillow.run(
            "print(Image.open('\(scratch.file("true.png"))').getpixel((0, 0)))",
            in: scratch
        )
        #expect(corner == "(255, 255, 255)\n")
    }

    @Test("names the file that an encoder cannot write, and why")
    func encoders() throws {
        try makeCache()
        let output = scratch.file("wide.webp")
        let failed = try resolve("cache", "--output", output, "http://h/w.png")
        #expect(failed.status == 4)
        #expect(failed.errors.contains("gearbox: \(output): the picture of 20000x4"))
        #expect(failed.errors.contains("holds no side above 16383"), "\(failed.errors)")
        #expect(failed.output == "")
    }
}

/// What the file system knows of a file.
private enum FileFacts {
    static func inode(_ path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int ?? 0
    }
}
