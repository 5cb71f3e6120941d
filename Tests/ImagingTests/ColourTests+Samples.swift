import Imaging

extension ColourTests {
    /// Python for a 16-bit PNG of one colour, with another that is said to be clear.
    private static let keyed = """
        def keyed(colour, clear):
            png16('f', (16, 16), colour)
            open('g', 'wb').write(special.with_chunk(open('f', 'rb').read(), b'tRNS',
                b''.join(struct.pack('>H', band) for band in clear)))
            os.replace('g', 'f')

        """

    /// Python for a grey TIFF of 16x16 samples that may be below zero.
    private static let signed = """
        def signed(code, bits, samples):
            data = struct.pack('<256' + code, *samples)
            tags = [(256, 3, 16), (257, 3, 16), (258, 3, bits), (259, 3, 1), (262, 3, 1),
                (273, 4, 8), (277, 3, 1), (278, 3, 16), (279, 4, len(data)), (339, 3, 2)]
            open('f', 'wb').write(b'II*\\0' + struct.pack('<I', 8 + len(data)) + data
                + struct.pack('<H', len(tags))
                + b''.join(struct.pack('<HHII', tag, kind, 1, value) for tag, kind, value in tags)
                + bytes(4))

        """

    /// How samples are written: bits, signs, palettes, clear colours.
    static let samples: [Case] = [
        Case(
            name: "16-bit RGB",
            script: "png16('f', (16, 16), (51400, 7710, 15420)); print(200, 30, 60)",
            loader: .png,
            bands: 3,
            tolerance: 1
        ),
        Case(
            name: "16-bit RGB with alpha",
            script: "png16('f', (16, 16), (51400, 7710, 15420, 32768)); print(200, 30, 60, 128)",
            loader: .png,
            bands: 4,
            tolerance: 1
        ),
        Case(
            name: "16-bit grey",
            script: "png16('f', (16, 16), (25700,)); print(100)",
            loader: .png,
            bands: 1,
            tolerance: 1
        ),
        Case(
            name: "16-bit grey with alpha",
            script: "png16('f', (16, 16), (25700, 65535)); print(100, 255)",
            loader: .png,
            bands: 2,
            tolerance: 1
        ),
        Case(
            name: "palette with a transparent colour",
            script: """
                image = Image.new('P', (16, 16), 1)
                image.putpalette([0, 0, 0, 200, 30, 60])
                image.save('f', 'png', transparency=0); print(200, 30, 60, 255)
                """,
            loader: .png,
            bands: 4,
            tolerance: 0
        ),
        Case(
            name: "1-bit grey PNG",
            script: "Image.new('1', (16, 16), 1).save('f', 'png'); print(255)",
            loader: .png,
            bands: 1,
            tolerance: 0
        ),
        Case(
            name: "2-bit palette with a half clear colour",
            script: """
                image = Image.new('P', (16, 16), 2)
                image.putpalette([0, 0, 0, 1, 1, 1, 200, 30, 60])
                image.save('f', 'png', bits=2, transparency=bytes([255, 255, 90]))
                print(200, 30, 60, 90)
                """,
            loader: .png,
            bands: 4,
            tolerance: 0
        ),
        Case(
            name: "4-bit palette",
            script: """
                image = Image.new('P', (16, 16), 11); image.putpalette(bytes(range(48)))
                image.save('f', 'png', bits=4); print(33, 34, 35)
                """,
            loader: .png,
            bands: 3,
            tolerance: 0
        ),
        Case(
            name: "16-bit RGB with a clear colour",
            script: keyed
                + "keyed((51400, 7710, 15420), (51400, 7710, 15420)); print(200, 30, 60, 0)",
            loader: .png,
            bands: 4,
            tolerance: 1
        ),
        Case(
            name: "16-bit RGB that differs from its clear colour in the low bits",
            script: keyed
                + "keyed((51400, 7710, 15420), (51401, 7710, 15420)); print(200, 30, 60, 255)",
            loader: .png,
            bands: 4,
            tolerance: 1
        ),
        Case(
            name: "16-bit grey with a clear level",
            script: keyed + "keyed((25700,), (25700,)); print(100, 0)",
            loader: .png,
            bands: 2,
            tolerance: 1
        ),
        Case(
            name: "signed 8-bit grey TIFF: below zero is black",
            script: signed + "signed('b', 8, [64] * 128 + [-9] * 128); print(128)",
            loader: .tiff,
            bands: 1,
            tolerance: 1,
            isDarkBelow: true
        ),
        Case(
            name: "signed 16-bit grey TIFF: below zero is black",
            script: signed + "signed('h', 16, [16384] * 128 + [-900] * 128); print(127)",
            loader: .tiff,
            bands: 1,
            tolerance: 1,
            isDarkBelow: true
        ),
        Case(
            name: "1-bit TIFF",
            script: "Image.new('1', (16, 16), 1).save('f', 'tiff'); print(255)",
            loader: .tiff,
            bands: 1,
            tolerance: 0
        ),
        Case(
            name: "TIFF whose colours are multiplied by alpha",
            script: """
                Image.new('RGBA', (16, 16), (200, 30, 60, 128)).save('g.png')
                subprocess.run(['vips', 'tiffsave', 'g.png', 'g.tiff', '--premultiply'], check=True)
                os.rename('g.tiff', 'f'); print(200, 30, 60, 128)
                """,
            loader: .tiff,
            bands: 4
        ),
    ]
}
