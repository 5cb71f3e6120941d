import Imaging
import PictureSupport
import TestSupport
import Testing

@Suite("The header of a file")
struct HeaderTests {
    @Test(
        "EXIF orientation is read, what is outside 1...8 means 1, and sides swap from 5 on",
        arguments: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 4711]
    )
    func orientation(stored: Int) throws {
        let scratch = try Scratch()
        try Pillow.run(
            "e = Image.Exif(); e[0x112] = \(stored); photo((40, 20)).save('a.jpg', exif=e)",
            in: scratch
        )
        let header = try Image.open(scratch.file("a.jpg"), loader: .jpeg).header
        #expect(header.orientation == ((1...8).contains(stored) ? stored : 1))
        #expect([header.storedWidth, header.storedHeight] == [40, 20])
        let swaps = (5...8).contains(stored)
        #expect([header.width, header.height] == (swaps ? [20, 40] : [40, 20]))
    }

    @Test("The orientation of the embedded preview is not the picture's")
    func previewOrientation() throws {
        let scratch = try Scratch()
        try Pillow.run(
            """
            def ifd(entries, following):
                body = struct.pack('<H', len(entries))
                for tag, kind, count, value in entries: body += struct.pack('<HHII', tag, kind, count, value)
                return body + struct.pack('<I', following)
            first = ifd([(0x112, 3, 1, 1)], 8 + 18)
            second = ifd([(0x112, 3, 1, 6)], 0)
            exif = b'Exif\\0\\0II*\\0' + struct.pack('<I', 8) + first + second
            photo((40, 20)).save('a.jpg', exif=exif)
            """,
            in: scratch
        )
        #expect(try Image.open(scratch.file("a.jpg"), loader: .jpeg).header.orientation == 1)
    }

    struct Kind: Sendable, CustomTestStringConvertible {
        var name: String
        var script: String
        var loader: Loader
        var isGrey = false
        var hasAlpha = false
        var isCMYK = false
        var bitDepth = 8
        var isProgressive = false
        var pages = 1
        var profile = ImageHeader.Profile.none
        var testDescription: String { name }
    }

    static let kinds: [Kind] = [
        Kind(
            name: "grey JPEG",
            script: "photo((9, 7), 'L').save('f')",
            loader: .jpeg,
            isGrey: true
        ),
        Kind(
            name: "CMYK JPEG",
            script: "photo((9, 7), 'CMYK').save('f')",
            loader: .jpeg,
            isCMYK: true
        ),
        Kind(
            name: "progressive JPEG",
            script: "photo((9, 7)).save('f', progressive=True)",
            loader: .jpeg,
            isProgressive: true
        ),
        Kind(
            name: "JPEG with sRGB profile",
            script: "photo((9, 7)).save('f', icc_profile=srgb())",
            loader: .jpeg,
            profile: .fits
        ),
        Kind(
            name: "grey JPEG with a profile for RGB",
            script: "photo((9, 7), 'L').save('f', icc_profile=srgb())",
            loader: .jpeg,
            isGrey: true,
            profile: .unfit
        ),
        Kind(
            name: "JPEG with junk for a profile",
            script: "photo((9, 7)).save('f', icc_profile=b'junk' * 99)",
            loader: .jpeg,
            profile: .unfit
        ),
        Kind(
            name: "PNG with alpha",
            script: "photo((9, 7), 'RGBA').save('f')",
            loader: .png,
            hasAlpha: true
        ),
        Kind(
            name: "grey PNG with alpha",
            script: "photo((9, 7), 'LA').save('f')",
            loader: .png,
            isGrey: true,
            hasAlpha: true
        ),
        Kind(
            name: "16-bit grey PNG",
            script: "Image.new('I;16', (9, 7), 40000).save('f')",
            loader: .png,
            isGrey: true,
            bitDepth: 16
        ),
        Kind(
            name: "palette PNG with a transparent colour",
            script: "photo((9, 7)).quantize(8).save('f', transparency=0)",
            loader: .png,
            hasAlpha: true
        ),
        Kind(
            name: "1-bit PNG",
            script: "photo((9, 7), '1').save('f')",
            loader: .png,
            isGrey: true
        ),
        Kind(
            name: "animated GIF",
            script:
                "photo((9, 7)).save('f', save_all=True, append_images=[photo((9, 7)).rotate(90)])",
            loader: .gif,
            pages: 2
        ),
        Kind(
            name: "animated WebP",
            script:
                "photo((9, 7)).save('f', save_all=True, append_images=[photo((9, 7)).rotate(90)])",
            loader: .webp,
            pages: 2
        ),
        Kind(
            name: "TIFF of two pages",
            script:
                "photo((9, 7)).save('f', save_all=True, append_images=[photo((9, 7)).rotate(90)])",
            loader: .tiff,
            pages: 2
        ),
    ]

    @Test("Bands, depth, profile and pages are told apart", arguments: kinds)
    func kind(_ kind: Kind) throws {
        let scratch = try Scratch()
        let script = kind.script.replacing("save('f'", with: "save('f', '\(kind.loader.rawValue)'")
        try Pillow.run(script, in: scratch)
        let header = try Image.open(scratch.file("f"), loader: kind.loader).header
        #expect([header.width, header.height] == [9, 7])
        #expect(header.isGrey == kind.isGrey)
        #expect(header.hasAlpha == kind.hasAlpha)
        #expect(header.isCMYK == kind.isCMYK)
        #expect(header.bitDepth == kind.bitDepth)
        #expect(header.isProgressive == kind.isProgressive)
        #expect(header.pages == kind.pages)
        #expect(header.profile == kind.profile)
    }

    @Test("A frame's height is not taken for the roll's")
    func rollHeight() throws {
        let scratch = try Scratch()
        try Pillow.run(
            "photo((9, 7)).save('a.gif', save_all=True, append_images=[photo((9, 7)).rotate(90)])",
            in: scratch
        )
        let roll = try Image.open(scratch.file("a.gif"), loader: .gif, frames: .all)
        #expect(roll.height == 14)
        #expect(roll.header.height == 7)
    }
}
