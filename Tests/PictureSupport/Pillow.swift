import Foundation
package import TestSupport

/// Python's imaging library: draws what our own code cannot write and reads what it has written, so
/// that no test holds libvips against itself.
package enum Pillow {
    /// Runs a script in a scratch folder; with `Image` and what draws for it at hand.
    ///
    /// - Returns: what it printed.
    @discardableResult
    package static func run(_ script: String, in scratch: Scratch) throws -> String {
        let program = try Program.run(
            "/usr/bin/python3",
            ["-c", prelude + script, Program.root + "/fixtures/drawing"],
            in: scratch.path
        )
        guard program.status == 0 else { throw PillowError(message: program.errors) }
        return program.output
    }

    /// What Pillow says of files, in their order.
    package static func read(_ paths: [String], in scratch: Scratch) throws -> [Reading] {
        try paths.joined(separator: "\n")
            .write(toFile: scratch.file("paths.txt"), atomically: true, encoding: .utf8)
        let text = try run(
            "for path in open('paths.txt').read().split('\\n'): tell(path)",
            in: scratch
        )
        return try text.split(separator: "\n").map {
            try JSONDecoder().decode(Reading.self, from: Data($0.utf8))
        }
    }

    package static func read(_ path: String, in scratch: Scratch) throws -> Reading {
        try read([path], in: scratch)[0]
    }

    private static let prelude = #"""
        import json, io, struct, sys, zlib, warnings
        warnings.simplefilter('ignore')
        sys.dont_write_bytecode = True
        sys.path.insert(0, sys.argv[1])
        import math, os, random, subprocess
        # The fixtures' writers of what Pillow cannot write: profiles, EXIF, chunks.
        import special
        from PIL import Image, ImageChops, ImageCms, ImageDraw, ImageOps, ImageSequence
        Image.MAX_IMAGE_PIXELS = None

        def halves(mode, size, a, b):
            image = Image.new(mode, size, a)
            image.paste(b, (size[0] // 2, 0, size[0], size[1]))
            return image

        def photo(size, mode='RGB'):
            image = Image.linear_gradient('L').resize(size)
            image = Image.merge('RGB', (image, image.transpose(Image.FLIP_LEFT_RIGHT).rotate(90,
                resample=Image.BICUBIC).resize(size), Image.radial_gradient('L').resize(size)))
            return image.convert(mode)

        def texture(size):
            def waves(n, a, b): return [[math.sin(i / a), math.sin(i / b + 1)] for i in range(n)]
            across, down = waves(size[0], 5.1, 13.7), waves(size[1], 6.3, 11.9)
            image = Image.new('RGB', size)
            image.putdata([(int(127 + 60 * (x[0] + y[1])), int(127 + 60 * (x[1] - y[0])),
                int(127 + 120 * x[0] * y[0])) for y in down for x in across])
            return image

        def decibels(a, b):
            counts = ImageChops.difference(a.convert('RGB'), b.convert('RGB')).histogram()
            error = sum(n * (i % 256) ** 2 for i, n in enumerate(counts)) / sum(counts)
            return 99 if error == 0 else 10 * math.log10(255 ** 2 / error)

        def png16(path, size, colour):
            row = b'\0' + b''.join(struct.pack('>H', band) for band in colour) * size[0]
            def chunk(name, data): return (struct.pack('>I', len(data)) + name + data
                + struct.pack('>I', zlib.crc32(name + data)))
            kind = {1: 0, 2: 4, 3: 2, 4: 6}[len(colour)]
            open(path, 'wb').write(b'\x89PNG\r\n\x1a\n'
                + chunk(b'IHDR', struct.pack('>IIBBBBB', *size, 16, kind, 0, 0, 0))
                + chunk(b'IDAT', zlib.compress(row * size[1])) + chunk(b'IEND', b''))

        def stored(upright, orientation):
            back = {1: None, 2: Image.FLIP_LEFT_RIGHT, 3: Image.ROTATE_180,
                4: Image.FLIP_TOP_BOTTOM, 5: Image.TRANSPOSE, 6: Image.ROTATE_90,
                7: Image.TRANSVERSE, 8: Image.ROTATE_270}[orientation]
            return upright if back is None else upright.transpose(back)

        def profile(name):
            Image.new('RGB', (8, 8), (90, 90, 90)).save('profile.png')
            subprocess.run(['vips', 'icc_export', 'profile.png', 'profile.jpg',
                '--output-profile', name], check=True)
            return Image.open('profile.jpg').info['icc_profile']

        def srgb(): return ImageCms.ImageCmsProfile(ImageCms.createProfile('sRGB')).tobytes()

        def patches(mode):
            """64 fields of 8x8 pixels: greys, full inks, random colours."""
            dice, bands = random.Random(64), len(Image.new(mode, (1, 1)).getbands())
            image = Image.new(mode, (64, 64))
            for index in range(64):
                if index < 8: colour = (index * 36,) * bands
                elif index < 16: colour = tuple(255 * (index >> band & 1) for band in range(bands))
                else: colour = tuple(dice.randrange(256) for _ in range(bands))
                image.paste(colour, (index % 8 * 8, index // 8 * 8, index % 8 * 8 + 8,
                    index // 8 * 8 + 8))
            return image

        def converted(image, icc):
            """What the colour engine alone makes of the samples."""
            return ImageCms.profileToProfile(image, ImageCms.ImageCmsProfile(io.BytesIO(icc)),
                ImageCms.createProfile('sRGB'), renderingIntent=1, outputMode='RGB', flags=0x2000)

        def fields(image):
            """Prints the colours in the middles of the 64 fields."""
            for index in range(64):
                colour = image.getpixel((index % 8 * 8 + 4, index // 8 * 8 + 4))
                print(*(colour if isinstance(colour, tuple) else (colour,)))

        def tell(path):
            image = Image.open(path)
            frames = getattr(image, 'n_frames', 1)
            delays, colours = [], []
            for index in range(frames):
                image.seek(index)
                image.load()
                delays.append(int(image.info.get('duration', 0)))
                rgba = image.convert('RGBA')
                w, h = rgba.size
                colours.append([list(rgba.getpixel((x, y)))
                    for y in (h // 8, h // 2, h - 1 - h // 8)
                    for x in (w // 8, w // 2, w - 1 - w // 8)])
            image.seek(0)
            print(json.dumps(dict(width=image.width, height=image.height, mode=image.mode,
                format=image.format, frames=frames, delays=delays, loop=image.info.get('loop'),
                hasProfile=bool(image.info.get('icc_profile')),
                hasEXIF=bool(image.info.get('exif')) or bool(image.getexif()),
                isProgressive=bool(image.info.get('progressive') or image.info.get('interlace')),
                colours=colours)))


        """#
}

package struct PillowError: Error, CustomStringConvertible {
    var message: String
    package var description: String { "Pillow: \(message)" }
}

/// A file as Pillow sees it.
package struct Reading: Decodable, Sendable {
    package var width: Int
    package var height: Int
    package var mode: String
    package var format: String
    package var frames: Int
    /// Milliseconds.
    package var delays: [Int]
    package var loop: Int?
    package var hasProfile: Bool
    package var hasEXIF: Bool
    package var isProgressive: Bool
    /// Of each frame the red, green, blue and alpha at nine places: near the corners, at the middles
    /// of the sides and in the centre, row after row.
    package var colours: [[[Int]]]

    /// The colour of the first frame at one of the nine places.
    package func colour(_ place: Place) -> [Int] { colours[0][place.rawValue] }
}

/// The nine places that a reading tells the colour of.
package enum Place: Int, Sendable, CaseIterable {
    case topLeft, top, topRight, left, centre, right, bottomLeft, bottom, bottomRight
}

/// Whether two colours differ by no more than `tolerance` in every band.
package func isNear(_ a: [Int], _ b: [Int], within tolerance: Int = 3) -> Bool {
    zip(a, b).allSatisfy { abs($0 - $1) <= tolerance } && !a.isEmpty
}
