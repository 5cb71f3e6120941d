import Imaging
import PictureSupport
import TestSupport
import Testing

@Suite("Standard colour")
struct ColourTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        /// Writes the file `f` and prints the red, green and blue that are expected.
        var script: String
        var loader: Loader
        var bands: Int
        var tolerance = 2
        /// Whether the lower half is black instead.
        var isDarkBelow = false
        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(
            name: "grey JPEG with a profile for RGB",
            script: """
                Image.new('L', (16, 16), 128).save('f', 'jpeg', icc_profile=srgb()); print(128)
                """,
            loader: .jpeg,
            bands: 1,
            tolerance: 0
        ),
        Case(
            name: "untagged grey is not shifted",
            script: "Image.new('RGB', (16, 16), (128,) * 3).save('f', 'png'); print(128, 128, 128)",
            loader: .png,
            bands: 3,
            tolerance: 0
        ),
        Case(
            name: "untagged saturated colour is not shifted",
            script:
                "Image.new('RGB', (16, 16), (200, 30, 60)).save('f', 'png'); print(200, 30, 60)",
            loader: .png,
            bands: 3,
            tolerance: 0
        ),
        Case(
            name: "JPEG with junk for a profile",
            script: """
                Image.new('RGB', (16, 16), (200, 30, 60)).save('f', 'jpeg', quality=100,
                    subsampling=0, icc_profile=b'junk' * 99); print(200, 30, 60)
                """,
            loader: .jpeg,
            bands: 3
        ),
        Case(
            name: "JPEG with a profile that has a good header and nothing else",
            script: """
                Image.new('RGB', (16, 16), (200, 30, 60)).save('f', 'jpeg', quality=100,
                    subsampling=0, icc_profile=srgb()[:128] + bytes(200)); print(200, 30, 60)
                """,
            loader: .jpeg,
            bands: 3
        ),
        Case(
            name: "Display P3 is converted, not dropped",
            script: """
                p = profile('p3')
                image = Image.new('RGB', (16, 16), (210, 90, 60))
                image.save('f', 'png', icc_profile=p)
                to = ImageCms.profileToProfile(image, ImageCms.ImageCmsProfile(io.BytesIO(p)),
                    ImageCms.createProfile('sRGB'), renderingIntent=1)
                assert to.getpixel((8, 8))[0] > 218
                print(*to.getpixel((8, 8)))
                """,
            loader: .png,
            bands: 3
        ),
        Case(
            name: "the profile of sRGB changes nothing, as one tool writes it",
            script: """
                Image.new('RGB', (16, 16), (13, 90, 201)).save('f', 'png', icc_profile=srgb())
                print(13, 90, 201)
                """,
            loader: .png,
            bands: 3,
            tolerance: 0
        ),
        Case(
            name: "the profile of sRGB changes nothing, as another tool writes it",
            script: """
                Image.new('RGB', (16, 16), (13, 90, 201)).save('f', 'png',
                    icc_profile=profile('srgb'))
                print(13, 90, 201)
                """,
            loader: .png,
            bands: 3,
            tolerance: 0
        ),
        Case(
            name: "a profile with the primaries of sRGB and another curve is converted",
            script: """
                p = srgb().replace(struct.pack('>i', 157286), struct.pack('>i', 117965))
                assert p != srgb()
                image = Image.new('RGB', (16, 16), (90, 120, 150))
                image.save('f', 'png', icc_profile=p)
                to = ImageCms.profileToProfile(image, ImageCms.ImageCmsProfile(io.BytesIO(p)),
                    ImageCms.createProfile('sRGB'), renderingIntent=1)
                assert to.getpixel((8, 8))[1] > 140
                print(*to.getpixel((8, 8)))
                """,
            loader: .png,
            bands: 3
        ),
        Case(
            name: "Display P3 with alpha",
            script: """
                p = profile('p3')
                image = Image.new('RGB', (16, 16), (210, 90, 60))
                to = ImageCms.profileToProfile(image, ImageCms.ImageCmsProfile(io.BytesIO(p)),
                    ImageCms.createProfile('sRGB'), renderingIntent=1)
                image.putalpha(77)
                image.save('f', 'png', icc_profile=p)
                print(*to.getpixel((8, 8)), 77)
                """,
            loader: .png,
            bands: 4
        ),
        Case(
            name: "RGBA with a profile for CMYK: alpha is not taken for black",
            script: """
                Image.new('RGBA', (16, 16), (200, 30, 60, 128)).save('f', 'png',
                    icc_profile=profile('cmyk')); print(200, 30, 60, 128)
                """,
            loader: .png,
            bands: 4,
            tolerance: 0
        ),
        Case(
            name: "CMYK without profile, as Adobe writes it",
            script: """
                Image.new('CMYK', (16, 16), (0, 0, 0, 0)).save('f', 'jpeg'); print(255, 255, 255)
                """,
            loader: .jpeg,
            bands: 3
        ),
        Case(
            name: "CMYK without profile and without Adobe's marker",
            script: """
                Image.new('CMYK', (16, 16), (0, 0, 0, 0)).save('g', 'jpeg')
                data = open('g', 'rb').read()
                at = data.index(b'\\xff\\xee')
                length = 2 + struct.unpack('>H', data[at + 2:at + 4])[0]
                open('f', 'wb').write(data[:at] + data[at + length:])
                print(255, 255, 255)
                """,
            loader: .jpeg,
            bands: 3
        ),
        Case(
            name: "grey with a grey profile stays one band",
            script: """
                Image.new('RGB', (16, 16), (128,) * 3).save('g.png')
                # A grey profile with gamma 1.8, made of the few tags that it needs.
                curve = b'curv' + bytes(4) + struct.pack('>IH', 1, int(1.8 * 256)) + bytes(2)
                white = b'XYZ ' + bytes(4) + struct.pack('>iii', 63190, 65536, 54061)
                tags = [(b'wtpt', white), (b'kTRC', curve)]
                at, table, body = 128 + 4 + 12 * len(tags), b'', b''
                for name, data in tags:
                    table += name + struct.pack('>II', at + len(body), len(data)); body += data
                size = at + len(body)
                head = (struct.pack('>I', size) + b'lcms' + bytes([2, 0x10, 0, 0]) + b'mntrGRAYXYZ '
                    + bytes(12) + b'acsp' + bytes(24) + b'\\0\\0\\0\\0'
                    + struct.pack('>iii', 63190, 65536, 54061))
                icc = head + bytes(128 - len(head)) + struct.pack('>I', len(tags)) + table + body
                Image.new('L', (16, 16), 128).save('f', 'png', icc_profile=icc)
                linear = (128 / 255) ** 1.8
                print(round(255 * (1.055 * linear ** (1 / 2.4) - 0.055)))
                """,
            loader: .png,
            bands: 1
        ),
        Case(
            name: "gamma and primaries without a profile change nothing",
            script: """
                Image.new('RGB', (16, 16), (200, 30, 60)).save('f', 'png')
                data = open('f', 'rb').read()
                data = special.with_chunk(data, b'cHRM', struct.pack('>8I', 31270, 32900, 68000,
                    32000, 26500, 69000, 15000, 6000))
                open('f', 'wb').write(special.with_chunk(data, b'gAMA', struct.pack('>I', 100000)))
                print(200, 30, 60)
                """,
            loader: .png,
            bands: 3,
            tolerance: 0
        ),
        Case(
            name: "Lab TIFF",
            script:
                "Image.new('LAB', (16, 16), (137, 128, 128)).save('f', 'tiff'); print(128, 128, 128)",
            loader: .tiff,
            bands: 3,
            tolerance: 3
        ),
    ]

    @Test(
        "Every kind of file comes to 8-bit sRGB or grey with its own look",
        arguments: cases + samples
    )
    func colour(_ wanted: Case) throws {
        let scratch = try Scratch()
        let expected = try Pillow.run(wanted.script, in: scratch)
            .split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        let image = try Image.open(scratch.file("f"), loader: wanted.loader).standardColour()
        #expect(image.bands == wanted.bands)
        let samples = try image.samples()
        let row = wanted.isDarkBelow ? 4 : 8
        let middle = (row * 16 + 8) * image.bands
        let colour = samples[middle..<middle + image.bands].map { Int($0) }
        #expect(isNear(colour, expected, within: wanted.tolerance), "\(colour) for \(expected)")
        if wanted.isDarkBelow { #expect(samples.suffix(16).allSatisfy { $0 == 0 }) }
    }

    @Test("Ink that says nothing of its press has the colours of libvips' own press profile")
    func inks() throws {
        let scratch = try Scratch()
        try Pillow.run(
            """
            inks = [(0, 0, 0, 0), (255, 0, 0, 0), (0, 255, 0, 0), (0, 0, 255, 0), (0, 0, 0, 255),
                (255, 255, 0, 0), (64, 128, 32, 16), (255, 255, 255, 255)]
            image = Image.new('CMYK', (8, 1)); image.putdata(inks); image.save('a', 'tiff')
            """,
            in: scratch
        )
        let image = try Image.open(scratch.file("a"), loader: .tiff).standardColour()
        let samples = try image.samples().map { Int($0) }
        let pinned = [
            [255, 255, 255], [0, 153, 228], [234, 0, 130], [255, 240, 0], [12, 0, 19],
            [28, 0, 119], [173, 122, 153], [0, 0, 20],
        ]
        for (index, colour) in pinned.enumerated() {
            let found = Array(samples[3 * index..<3 * index + 3])
            #expect(isNear(found, colour, within: 3), "\(found) for \(colour)")
        }
    }

    @Test("Alpha over a background, also a coloured one under grey")
    func flattening() throws {
        let half = try Image.fromSamples([100, 128, 100, 0], width: 2, height: 1, bands: 2)
        let white = try half.flattened(red: 255, green: 255, blue: 255)
        #expect(white.bands == 1)
        #expect(try isNear(white.samples().map { Int($0) }, [177, 255], within: 1))
        let red = try half.flattened(red: 255, green: 0, blue: 0)
        #expect(red.bands == 3)
        #expect(
            try isNear(red.samples().map { Int($0) }, [177, 50, 50, 255, 0, 0], within: 1)
        )
    }
}
