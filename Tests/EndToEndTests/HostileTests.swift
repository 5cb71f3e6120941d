import PictureSupport
import TestSupport
import Testing

/// Small files that ask for much: pixels, passes or time without end.
@Suite("Hostile files", .serialized)
struct HostileTests {
    /// Python that writes the files into the folder `origin`.
    private static let files = """
        os.mkdir('origin'); os.chdir('origin')
        def vips(*words): subprocess.run(['vips', *words], check=True)
        def progressive(name, side):
            vips('black', 'b.v', str(side), str(side))
            vips('jpegsave', 'b.v', name, '--interlace', '--Q', '50')
            os.remove('b.v')
            return open(name, 'rb').read()
        def one_bit(name, side, passes):
            pack, data = zlib.compressobj(6), b''
            for x, y, across, down in passes:
                width, height = (side - x + across - 1) // across, (side - y + down - 1) // down
                row = b'\\0' + b'\\xf0' * ((width + 7) // 8)
                for at in range(0, height, 500): data += pack.compress(row * min(500, height - at))
            data += pack.flush()
            head = struct.pack('>IIBBBBB', side, side, 1, 0, 0, 0, len(passes) > 1)
            open(name, 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n' + special.chunk(b'IHDR', head)
                + special.chunk(b'IDAT', data) + special.chunk(b'IEND', b''))

        progressive('progressive-12000.jpg', 12000)
        one_bit('one-bit-30000.png', 30000, [(0, 0, 1, 1)])
        one_bit('interlaced-30000.png', 30000, [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8),
            (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)])

        data = progressive('small.jpg', 640)
        scan = data[data.rindex(b'\\xff\\xda'):-2]
        open('scans-5000.jpg', 'wb').write(data[:-2] + scan * 5000 + data[-2:])

        # Scans that are all allowed: three passes over each of 63 coefficients, each of them empty
        # and each a walk over all of the picture's blocks.
        side = 9000
        data = progressive('small.jpg', side)
        at = data.index(b'\\xff\\xda') + 10
        while not (data[at] == 255 and data[at + 1] not in (0, *range(0xD0, 0xD8))): at += 1
        bits, blocks = '', (side // 8) ** 2
        while blocks > 0: bits += '0' + '1' * 14; blocks -= 32767
        bits += '1' * (-len(bits) % 8)
        run = int(bits, 2).to_bytes(len(bits) // 8, 'big').replace(b'\\xff', b'\\xff\\0')
        table = b'\\xff\\xc4' + struct.pack('>HB', 20, 0x10) + bytes([1] + [0] * 15) + b'\\xe0'
        out = data[:at] + table
        for coefficient in range(1, 64):
            for passes in (0x02, 0x21, 0x10):
                out += (b'\\xff\\xda' + struct.pack('>HBBBBBB', 8, 1, 1, 0, coefficient, coefficient,
                    passes) + run)
        open('long-scans.jpg', 'wb').write(out + b'\\xff\\xd9')

        # A directory that names itself as the next one.
        Image.new('RGB', (60, 40), (9, 99, 199)).save('a.tiff')
        data = bytearray(open('a.tiff', 'rb').read())
        start = struct.unpack('<I', data[4:8])[0]
        end = start + 2 + 12 * struct.unpack('<H', data[start:start + 2])[0]
        data[end:end + 4] = struct.pack('<I', start)
        open('endless.tiff', 'wb').write(data)

        # Many frames of one pixel on a large canvas, each of which takes a whole picture to show.
        canvas = struct.pack('<HHBBB', 9000, 9000, 0xF0, 0, 0) + bytes([0, 0, 0, 250, 0, 0])
        one = (b'\\x21\\xf9\\4\\4\\5\\0\\0\\0\\x2c' + struct.pack('<HHHHB', 0, 0, 1, 1, 0)
            + b'\\2\\2\\x4c\\1\\0')
        open('frames-20000.gif', 'wb').write(b'GIF89a' + canvas + one * 20000 + b';')
        open('frames-200.gif', 'wb').write(b'GIF89a' + canvas + one * 200 + b';')
        """

    /// The outcomes of a run over some of the files, by name: `produced`, or a reason.
    private func outcomes(
        of names: [String],
        limits: String,
        asking query: String,
        in scratch: Scratch
    ) throws -> [String: String] {
        try scratch.write(
            names.map { "http://hostile.invalid/\($0)?imageView=1&\(query)\n" }.joined(),
            to: "hostile.txt"
        )
        try scratch.write(
            """
            { manifests: ["hostile.txt"], cache: "cache-\(names.count)-\(limits.hashValue)",
              origins: [{ name: "hostile", hosts: ["hostile.invalid"],
                sources: [{ mirror: "origin" }] }],
              variants: { modes: "requested" }, limits: { \(limits) } }
            """,
            to: "hostile.json5"
        )
        // Whatever a decoder does, the run ends long before its files could have been shown.
        let ran = try Program.run(
            "/usr/bin/timeout",
            [
                "--kill-after=10", "240", Program.gearbox, "run", scratch.file("hostile.json5"),
                "--quiet", "--json", "-",
            ]
        )
        try #require([0, 1].contains(ran.status), "status \(ran.status): \(ran.errors)")
        var found: [String: String] = [:]
        for entry in try RunLines(ran).entries {
            let name = entry.url.split(separator: "/").last?.split(separator: "?").first ?? ""
            found[String(name)] = entry.outcome == "failed" ? entry.reason : entry.outcome
        }
        #expect(found.count == names.count)
        return found
    }

    @Test("are refused by their headers, or done with, under the limits that hold by default")
    func standardLimits() throws {
        let scratch = try Scratch()
        try Pillow.run(Self.files, in: scratch)
        let refused = [
            "progressive-12000.jpg": "too-many-pixels", "one-bit-30000.png": "too-many-pixels",
            "interlaced-30000.png": "too-many-pixels", "scans-5000.jpg": "corrupt",
            "frames-20000.gif": "too-many-frames",
        ]
        let survived = ["long-scans.jpg", "endless.tiff", "frames-200.gif"]
        let found = try outcomes(
            of: refused.keys + survived,
            limits: "",
            asking: "thumbnail=60x60&type=webp",
            in: scratch
        )
        for (name, reason) in refused { #expect(found[name] == reason, "\(name)") }
        for name in survived { #expect(found[name] == "produced", "\(name)") }
        // Kept, each frame is a picture of 9000x9000.
        let kept = try outcomes(
            of: ["frames-200.gif"],
            limits: "",
            asking: "thumbnail=60x60&tostatic=0&type=webp",
            in: scratch
        )
        #expect(kept == ["frames-200.gif": "too-many-pixels"])

        // Where pixels are no limit, time and memory are.
        var large = ["progressive-12000.jpg"]
        if SeededGenerator.isSoaking { large += ["one-bit-30000.png", "interlaced-30000.png"] }
        let decoded = try outcomes(
            of: large,
            limits: "pixels: 1000000000",
            asking: "thumbnail=60x60&type=webp",
            in: scratch
        )
        for name in large {
            let outcome = decoded[name] ?? ""
            #expect(
                ["produced", "timed-out", "out-of-memory"].contains(outcome),
                "\(name): \(outcome)"
            )
        }
        var slow = ["one-bit-30000.png"]
        if SeededGenerator.isSoaking { slow += ["long-scans.jpg", "interlaced-30000.png"] }
        let late = try outcomes(
            of: slow,
            limits: "pixels: 1000000000, seconds: 1",
            asking: "thumbnail=60x60&type=webp",
            in: scratch
        )
        for name in slow { #expect(late[name] == "timed-out", "\(name)") }
    }
}
