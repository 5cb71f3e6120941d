import Imaging
import PictureSupport
import TestSupport
import Testing

/// Colours held against LittleCMS as Pillow uses it, over 64 fields each.
@Suite("Colour profiles")
struct ProfileTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var loader: Loader
        var bands = 3
        /// Writes the file `f` and prints the colours that its 64 fields shall have.
        var script: String
        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(
            name: "Display P3 in a PNG",
            loader: .png,
            script: """
                p3 = profile('p3'); image = patches('RGB'); image.save('f', 'png', icc_profile=p3)
                fields(converted(image, p3))
                """
        ),
        Case(
            name: "Display P3 in a JPEG",
            loader: .jpeg,
            script: """
                p3 = profile('p3'); patches('RGB').save('f', 'jpeg', icc_profile=p3, **best)
                fields(converted(Image.open('f'), p3))
                """
        ),
        Case(
            name: "Display P3 in a lossless WebP with alpha",
            loader: .webp,
            bands: 4,
            script: """
                p3 = profile('p3'); image = patches('RGB')
                with_alpha(image, 90).save('f', 'webp', lossless=True, exact=True, icc_profile=p3)
                fields(with_alpha(converted(image, p3), 90))
                """
        ),
        Case(
            name: "Display P3 under every alpha, in a TIFF",
            loader: .tiff,
            bands: 4,
            script: """
                p3 = profile('p3'); image = patches('RGB')
                alpha = Image.new('L', (64, 64))
                for index in range(64): alpha.paste(4 * index, (index % 8 * 8, index // 8 * 8,
                    index % 8 * 8 + 8, index // 8 * 8 + 8))
                with_alpha(image, alpha).save('f', 'tiff', icc_profile=p3)
                fields(with_alpha(converted(image, p3), alpha))
                """
        ),
        Case(
            name: "Display P3 in a TIFF",
            loader: .tiff,
            script: """
                p3 = profile('p3'); image = patches('RGB'); image.save('f', 'tiff', icc_profile=p3)
                fields(converted(image, p3))
                """
        ),
        Case(
            name: "Display P3 in an AVIF",
            loader: .heif,
            script: """
                p3 = profile('p3'); image = patches('RGB'); image.save('a.png', icc_profile=p3)
                subprocess.run(['vips', 'heifsave', 'a.png', 'a.avif', '--compression', 'av1',
                    '--lossless', '--speed', '9'], check=True)
                os.rename('a.avif', 'f'); fields(converted(image, p3))
                """
        ),
        Case(
            name: "Display P3 in a PNG with a palette",
            loader: .png,
            script: """
                p3 = profile('p3'); image = patches('RGB').quantize(64, dither=Image.Dither.NONE)
                image.save('f', 'png', icc_profile=p3); fields(converted(image.convert('RGB'), p3))
                """
        ),
        Case(
            name: "Display P3 of 16 bits",
            loader: .png,
            script: """
                p3 = profile('p3'); image = patches('RGB'); deep_png(image, p3)
                fields(converted(image, p3))
                """
        ),
        Case(
            name: "Display P3 of 16 bits with alpha",
            loader: .png,
            bands: 4,
            script: """
                p3 = profile('p3'); image = patches('RGB'); deep_png(with_alpha(image, 77), p3)
                fields(with_alpha(converted(image, p3), 77))
                """
        ),
        Case(
            name: "wide primaries and a gamma, as Adobe RGB",
            loader: .jpeg,
            script: """
                icc = special.adobe_like(); patches('RGB').save('f', 'jpeg', icc_profile=icc, **best)
                fields(converted(Image.open('f'), icc))
                """
        ),
        Case(
            name: "RGB by tables",
            loader: .png,
            script: """
                icc = tables(b'RGB ', 3); image = patches('RGB')
                image.save('f', 'png', icc_profile=icc); to = converted(image, icc)
                # Red and blue have changed places.
                assert to.getpixel((12, 12))[2] > 200 and to.getpixel((12, 12))[0] < 90
                fields(to)
                """
        ),
        Case(
            name: "the primaries of sRGB with tables that say otherwise",
            loader: .png,
            script: """
                plain, lut = srgb(), tables(b'RGB ', 3)
                tags = {}
                for icc in (plain, lut):
                    for at in range(132, 132 + 12 * struct.unpack('>I', icc[128:132])[0], 12):
                        start, size = struct.unpack('>II', icc[at + 4:at + 12])
                        tags[icc[at:at + 4]] = icc[start:start + size]
                both = special.profile(b'mntr', b'RGB ', b'XYZ ', tags)
                image = patches('RGB'); image.save('f', 'png', icc_profile=both)
                to = converted(image, both)
                assert to.getpixel((12, 12)) != image.getpixel((12, 12))
                fields(to)
                """
        ),
        Case(
            name: "a profile of 300 kB, in a JPEG in many segments",
            loader: .jpeg,
            script: """
                icc = padded(special.adobe_like(), 300_000)
                patches('RGB').save('f', 'jpeg', icc_profile=icc, **best)
                fields(converted(Image.open('f'), icc))
                """
        ),
        Case(
            name: "a profile of 3 MB in a PNG",
            loader: .png,
            script: """
                icc = padded(special.adobe_like(), 3_000_000); image = patches('RGB')
                image.save('f', 'png', icc_profile=icc); fields(converted(image, icc))
                """
        ),
        Case(
            name: "CMYK with a press profile and Adobe's marker",
            loader: .jpeg,
            script: """
                icc = profile('cmyk'); patches('CMYK').save('f', 'jpeg', icc_profile=icc, **best)
                fields(converted(Image.open('f'), icc))
                """
        ),
        Case(
            name: "CMYK with a press profile and without Adobe's marker",
            loader: .jpeg,
            script: """
                icc = profile('cmyk'); patches('CMYK').save('g', 'jpeg', icc_profile=icc, **best)
                open('f', 'wb').write(special.without_segment(open('g', 'rb').read(), 0xEE))
                fields(converted(Image.open('g'), icc))
                """
        ),
        Case(
            name: "CMYK with a simple profile",
            loader: .jpeg,
            script: """
                icc = special.naive_cmyk()
                patches('CMYK').save('f', 'jpeg', icc_profile=icc, **best)
                fields(converted(Image.open('f'), icc))
                """
        ),
        Case(
            name: "CMYK in a TIFF",
            loader: .tiff,
            script: """
                icc = profile('cmyk'); image = patches('CMYK')
                image.save('f', 'tiff', icc_profile=icc); fields(converted(image, icc))
                """
        ),
        Case(
            name: "CMYK without a profile, by the profile that libvips brings",
            loader: .jpeg,
            script: """
                patches('CMYK').save('f', 'jpeg', **best)
                fields(converted(Image.open('f'), profile('cmyk')))
                """
        ),
        Case(
            name: "CMYK with a profile for RGB, by the profile that libvips brings",
            loader: .jpeg,
            script: """
                patches('CMYK').save('f', 'jpeg', icc_profile=srgb(), **best)
                fields(converted(Image.open('f'), profile('cmyk')))
                """
        ),
        Case(
            name: "grey with a gamma of its own",
            loader: .png,
            bands: 1,
            script: """
                icc = grey(1.2); image = patches('L'); image.save('f', 'png', icc_profile=icc)
                fields(converted(image, icc).getchannel('G'))
                """
        ),
        Case(
            name: "grey of 16 bits with a gamma of its own",
            loader: .png,
            bands: 1,
            script: """
                icc = grey(1.2); image = patches('L'); deep_png(image, icc)
                fields(converted(image, icc).getchannel('G'))
                """
        ),
        Case(
            name: "grey with alpha and a gamma of its own",
            loader: .png,
            bands: 2,
            script: """
                icc = grey(1.2); image = patches('L')
                with_alpha(image, 120).save('f', 'png', icc_profile=icc)
                fields(with_alpha(converted(image, icc).getchannel('G'), 120))
                """
        ),
        Case(
            name: "a profile for RGB on grey with alpha is ignored",
            loader: .png,
            bands: 2,
            script: """
                image = with_alpha(patches('L'), 120)
                image.save('f', 'png', icc_profile=profile('p3')); fields(image)
                """
        ),
        Case(
            name: "a profile for grey on RGB is ignored",
            loader: .png,
            script: """
                image = patches('RGB'); image.save('f', 'png', icc_profile=grey(1.2)); fields(image)
                """
        ),
        Case(
            name: "a profile that links two devices is ignored",
            loader: .png,
            script: """
                image = patches('RGB')
                icc = tables(b'RGB ', 3, kind=b'link').replace(b'Lab ', b'RGB ', 1)
                image.save('f', 'png', icc_profile=icc); fields(image)
                """
        ),
        Case(
            name: "an output profile by tables that only lead to the device is ignored",
            loader: .png,
            script: """
                icc = tables(b'RGB ', 3).replace(b'A2B0', b'B2A0').replace(b'A2B1', b'B2A1')
                image = patches('RGB'); image.save('f', 'png', icc_profile=icc); fields(image)
                """
        ),
    ]

    @Test("Colours are those of an independent engine, within 3 levels", arguments: cases)
    func reference(_ wanted: Case) throws {
        let scratch = try Scratch()
        let expected = try Pillow.run(Self.profiles + wanted.script, in: scratch)
            .split(separator: "\n").map { $0.split(separator: " ").compactMap { Int($0) } }
        try #require(expected.count == 64)
        let image = try Image.open(scratch.file("f"), loader: wanted.loader).standardColour()
        try #require(image.bands == wanted.bands)
        let samples = try image.samples()
        for (index, colour) in expected.enumerated() {
            let start = ((index / 8 * 8 + 4) * 64 + index % 8 * 8 + 4) * image.bands
            let found = samples[start..<start + image.bands].map { Int($0) }
            #expect(isNear(found, colour, within: 3), "field \(index): \(found) for \(colour)")
        }
    }
}
