import Foundation
import Manifests
import TestSupport
import Testing

@Suite("A compressed manifest")
struct CompressionTests {
    private let scratch: Scratch
    private let text: [UInt8]

    init() throws {
        scratch = try Scratch()
        text = Array((1...3_000).map { "http://h/\($0 * 7_919 % 1_000).jpg\n" }.joined().utf8)
    }

    private func compressed(_ program: String, _ options: String..., bytes: [UInt8]) throws
        -> [UInt8]
    {
        let path = try scratch.write(bytes, as: "plain")
        let made = try Program.run(
            "/bin/bash",
            ["-c", "\(program) \(options.joined(separator: " ")) -c < '\(path)' > '\(path).z'"]
        )
        try #require(made.status == 0, "\(made.errors)")
        return try scratch.bytes(of: "plain.z")
    }

    private func items(_ bytes: [UInt8], name: String = "m") throws -> [ManifestItem] {
        try Reading.items(bytes, ManifestShape(.text), name: name, pieces: [61, 4_096, 1 << 20])
    }

    @Test("is what its bytes say, whatever its name says", arguments: ["m.txt", "m.gz", "m.zst"])
    func names(name: String) throws {
        let plain = try items(text)
        #expect(plain.count == 3_000)
        #expect(try items(text, name: name) == plain)
        for program in ["gzip", "zstd"] {
            #expect(try items(compressed(program, bytes: text), name: name) == plain)
        }
    }

    @Test(
        "may be of several members, whose lines go on from one to the next",
        arguments: ["gzip", "zstd"]
    )
    func members(program: String) throws {
        let parts = [text[..<10_001], text[10_001..<10_001], text[10_001...]]
        let bytes = try parts.flatMap { try compressed(program, bytes: Array($0)) }
        #expect(try items(bytes) == items(text))
        #expect(try items(compressed(program, "-1", bytes: []), name: "m").isEmpty)
    }

    @Test(
        "is refused as a whole where it is cut, followed by junk or damaged",
        arguments: ["gzip", "zstd"]
    )
    func broken(program: String) throws {
        let good = try compressed(program, bytes: text)
        for count in [4, 5, 20, good.count / 2, good.count - 1] {
            let error = Reading.error { try items(Array(good[..<count])) }
            #expect(error?.code == .truncated, "\(count)")
            #expect(error?.message.contains("too early") == true)
        }
        for junk in ["http://h/a\n", "x", String(repeating: "x", count: 100)] {
            let error = Reading.error { try items(good + Array(junk.utf8)) }
            #expect(error != nil, "\(junk)")
            #expect(error?.code == .damaged || junk.utf8.count < 4, "\(junk)")
        }
        var damaged = good
        for index in 40..<80 { damaged[index] ^= 0x55 }
        #expect(Reading.error { try items(damaged) }?.code == .damaged)
    }

    @Test("is refused where less than its first bytes came, and its name tells what it is")
    func empty() throws {
        for (name, bytes) in [
            ("a.gz", []), ("a.zst", []), ("a.gz", [0x1F]), ("a.zst", [0x28, 0xB5]),
        ] as [(String, [UInt8])] {
            #expect(Reading.error { try items(bytes, name: name) }?.code == .truncated)
        }
        #expect(try items([], name: "a.txt").isEmpty)
        #expect(try items(Array("h".utf8), name: "a.gz") == [entry(1, "h")])
    }

    @Test("may not ask for a window of more than 128 MiB")
    func window() throws {
        // A frame with a window of 1 GiB and one block of a byte; then of 128 MiB.
        let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0xA0, 0x09, 0x00, 0x00, 0x61]
        #expect(Reading.error { try items(frame) }?.message.contains("128 MiB") == true)
        var smaller = frame
        smaller[5] = 0x88
        #expect(try items(smaller) == [entry(1, "a")])
    }

    @Test("costs the memory of a piece, however much it is of")
    func bomb() throws {
        let made = try Program.run(
            "/bin/bash",
            [
                "-c",
                "cd '\(scratch.path)'; head -c 30000000 /dev/zero | tr '\\0' a > a; zstd -q a; gzip a",
            ]
        )
        try #require(made.status == 0, "\(made.errors)")
        for name in ["a.zst", "a.gz"] {
            let bytes = try scratch.bytes(of: name)
            var reader = ManifestReader(ManifestShape(.text), name: name)
            var found: [ManifestItem] = []
            var place = 0
            var calls = 0
            while place < bytes.count || reader.hasMore {
                place += try reader.read(bytes.span.extracting(place...)) { found.append($0) }
                calls += 1
            }
            try reader.finish { found.append($0) }
            #expect(found.badLines == [1])
            // No call gives more than a piece of 256 KiB.
            #expect(calls >= 30_000_000 / 262_144)
        }
    }
}
