import PictureSupport
import TestSupport
import Testing

/// Every fixture, and files of the kinds that are not among them, cut short and with bits flipped,
/// rendered by the built program: what takes the program down shows as its exit status.
@Suite("Damaged files", .serialized)
struct MutantTests {
    private static let seed: UInt64 = SeededGenerator(seed: 11).seed
    private static let cuts = SeededGenerator.isSoaking ? 64 : 2
    private static let flips = SeededGenerator.isSoaking ? 500 : 3

    /// What the fixtures lack: one file for each other way into a decoder.
    private static let others = """
        os.mkdir('others'); os.chdir('others')
        picture = texture((160, 120)); clear = picture.copy()
        clear.putalpha(Image.linear_gradient('L').resize(picture.size))
        e = Image.Exif(); e[0x112] = 6
        preview = io.BytesIO(); photo((64, 48)).save(preview, 'jpeg')
        picture.save('preview.jpg', exif=b'Exif\\0\\0II*\\0\\x08\\0\\0\\0\\0\\0' + preview.getvalue())
        picture.save('restart.jpg', restart_marker_blocks=4)
        picture.convert('L').save('grey-progressive.jpg', progressive=True, exif=e)
        picture.convert('CMYK').save('cmyk-progressive.jpg', progressive=True)
        picture.quantize(16).save('palette.gif')
        picture.quantize(4).save('two-bits.png', bits=2)
        picture.convert('1').save('one-bit.png')
        clear.save('alpha-lossless.webp', lossless=True)
        clear.save('alpha-lossy.webp', exif=e, icc_profile=srgb())
        for name in ('raw', 'tiff_lzw', 'tiff_deflate', 'tiff_adobe_deflate', 'packbits', 'jpeg'):
            picture.save(name + '.tiff', compression=name)
        for name in ('group3', 'group4'): picture.convert('1').save(name + '.tiff', compression=name)
        picture.convert('CMYK').save('cmyk.tiff'); clear.save('alpha.tiff'); picture.save('a.png')
        clear.save('b.png'); picture.convert('LAB').save('lab.tiff')
        def vips(*words): subprocess.run(['vips', *words], check=True, stderr=subprocess.DEVNULL)
        vips('pngsave', 'b.png', 'interlaced.png', '--interlace')
        vips('tiffsave', 'b.png', 'tiled.tiff', '--tile', '--tile-width', '32', '--tile-height', '32',
            '--compression', 'deflate', '--predictor', 'horizontal')
        vips('tiffsave', 'a.png', 'big.tiff', '--bigtiff', '--pyramid', '--tile')
        vips('colourspace', 'a.png', 'deep.png', 'rgb16')
        vips('cast', 'a.png', 'float.tiff', 'float')
        vips('heifsave', 'b.png', 'alpha.avif', '--compression', 'av1', '--speed', '9')
        """

    @Test("crash no run, keep no decoder forever, give no half picture and no wrong size")
    func mutants() throws {
        let scratch = try Scratch()
        try Pillow.run(Self.others, in: scratch)
        let made = try Program.python(
            "Tests/EndToEndTests/mutants.py",
            "make",
            scratch.file("all"),
            "fixtures/origin",
            scratch.file("others"),
            "--cuts",
            "\(Self.cuts)",
            "--flips",
            "\(Self.flips)",
            "--seed",
            "\(Self.seed)"
        )
        try #require(made.status == 0, "\(made.errors)")
        let ran = try run(
            scratch.file("all/mutants.txt"),
            cache: scratch.file("cache"),
            in: scratch
        )
        try #require([0, 1].contains(ran.status), "status \(ran.status): \(ran.errors)")
        for entry in try RunLines(ran).entries {
            let isOfWorker = ["crashed", "killed", "timed-out"].contains(entry.reason)
            #expect(!isOfWorker, "seed \(Self.seed): \(entry.url) \(entry.reason ?? "")")
        }
        let judged = try Program.python(
            "Tests/EndToEndTests/mutants.py",
            "compare",
            scratch.file("all"),
            scratch.file("cache")
        )
        #expect(judged.status == 0, "\(judged.output)\(judged.errors)")
    }

    /// The program over some of the files; a status of 124 says that it had to be stopped.
    private func run(_ manifest: String, cache: String, in scratch: Scratch) throws -> Program {
        try Program.run(
            "/usr/bin/timeout",
            [
                "--kill-after=10", SeededGenerator.isSoaking ? "3000" : "300", Program.gearbox,
                "run", scratch.file("all/mutants.json5"), "--manifest", manifest, "--cache", cache,
                "--quiet", "--json", "-",
            ]
        )
    }
}
