import GearboxURL
import Imaging
import PictureSupport
import Rendering
import Store
import TestSupport
import Testing

@Suite("Files that must not be published")
struct BrokenFileTests {
    static let wanted: [WantedVariant] = [.made(.x, 30, 30), .made(.y, 20, 20, format: .webp)]

    static let drawings: [String: String] = [
        "jpeg": "texture((320, 240)).save('a', 'jpeg')",
        "progressive jpeg": "texture((320, 240)).save('a', 'jpeg', progressive=True)",
        "jpeg with a preview": """
        preview = io.BytesIO(); photo((64, 48)).save(preview, 'jpeg')
        e = Image.Exif(); e[0x10e] = preview.getvalue().decode('latin-1')
        texture((320, 240)).save('a', 'jpeg',
            exif=b'Exif\\0\\0II*\\0\\x08\\0\\0\\0\\0\\0' + preview.getvalue())
        """,
        "png": "texture((320, 240)).save('a', 'png')",
        "interlaced png": """
        subprocess.run(['vips', 'black', 'b.v', '320', '240'], check=True)
        texture((320, 240)).save('b.png')
        subprocess.run(['vips', 'pngsave', 'b.png', 'c.png', '--interlace'], check=True)
        import os; os.rename('c.png', 'a')
        """,
        "webp": "texture((320, 240)).save('a', 'webp')",
        "gif": "texture((320, 240)).save('a', 'gif')",
        "animated gif": """
        texture((64, 48)).save('a', 'gif', save_all=True,
            append_images=[texture((64, 48)).rotate(90 * i) for i in (1, 2, 3)])
        """,
        "tiff": "texture((320, 240)).save('a', 'tiff')",
        "webp with orientation and profile behind the picture": """
        e = Image.Exif(); e[0x112] = 6
        texture((320, 240)).save('a', 'webp', exif=e, icc_profile=srgb())
        """,
        "deflated tiff": "texture((320, 240)).save('a', 'tiff', compression='tiff_deflate')",
    ]

    @Test(
        "A file that was cut anywhere is refused as truncated, also for its own bytes",
        arguments: drawings.keys.sorted()
    )
    func truncated(name: String) throws {
        let bench = try Bench()
        let path = try bench.draw(#require(Self.drawings[name]), "a")
        let whole = try bench.scratch.bytes(of: "a")
        #expect(try bench.render(path, Self.wanted + [.original]).variants.count == 3)
        for tenths in [1, 3, 5, 7, 9] {
            let cut = Array(whole.prefix(whole.count * tenths / 10))
            let file = try bench.scratch.write(cut, as: "cut")
            for wanted in [Self.wanted, [.original]] {
                let error = #expect(throws: RenderError.self, "cut at \(tenths)/10") {
                    try bench.render(file, wanted)
                }
                #expect(error?.code == .truncated, "cut at \(tenths)/10: \(error?.message ?? "")")
                #expect(error?.isPermanent == true)
            }
        }
    }

    @Test("Where truncated files are accepted, what is there is shown")
    func acceptedTruncation() throws {
        var settings = RenderSettings()
        settings.truncated = .accept
        let bench = try Bench(settings)
        for format in ["jpeg", "png"] {
            let path = try bench.draw("texture((320, 240)).save('a', '\(format)')", "a")
            let whole = try bench.scratch.bytes(of: "a")
            _ = try bench.scratch.write(Array(whole.prefix(whole.count * 7 / 10)), as: "a")
            #expect(try bench.render(path, Self.wanted).variants.count == 2, "\(format)")
        }
    }

    @Test("A GIF without its last byte is whole: many lack the trailer")
    func missingTrailer() throws {
        let bench = try Bench()
        let path = try bench.draw("photo((32, 24)).save('a', 'gif')", "a")
        _ = try bench.scratch.write(Array(bench.scratch.bytes(of: "a").dropLast()), as: "a")
        #expect(try bench.render(path, Self.wanted).variants.count == 2)
    }

    @Test("Junk after the end of a JPEG harms nothing")
    func trailingJunk() throws {
        let bench = try Bench()
        let path = try bench.draw("photo((64, 48)).save('a', 'jpeg')", "a")
        let junk = Array(repeating: UInt8(0x5A), count: 999)
        _ = try bench.scratch.write(bench.scratch.bytes(of: "a") + junk, as: "a")
        #expect(try bench.render(path, Self.wanted).variants.count == 2)
    }

    @Test(
        "What is no picture is refused by its bytes",
        arguments: [
            ("", RenderError.Code.empty), ("<!DOCTYPE html><p>404", .unsupportedType),
            ("{\"error\":1}", .unsupportedType), ("8BPS....", .unsupportedType),
            ("<svg xmlns='http://www.w3.org/2000/svg'/>", .unsupportedType),
            ("....ftypmp42....", .unsupportedType), ("BM......", .unsupportedType),
            ("GIF89a", .truncated), ("x", .unsupportedType),
        ]
    )
    func noPicture(text: String, code: RenderError.Code) throws {
        let bench = try Bench()
        let path = try bench.scratch.write(Array(text.utf8), as: "a")
        let error = #expect(throws: RenderError.self) { try bench.render(path, Self.wanted) }
        #expect(error?.code == code)
        #expect(error?.isPermanent == true)
        #expect(error?.endsRun == false)
    }

    @Test("A damaged file is corrupt, not truncated")
    func damaged() throws {
        let bench = try Bench()
        let path = try bench.draw("texture((320, 240)).save('a', 'png')", "a")
        var bytes = try bench.scratch.bytes(of: "a")
        for index in 2000..<2100 { bytes[index] ^= 0xFF }
        _ = try bench.scratch.write(bytes, as: "a")
        let error = #expect(throws: RenderError.self) { try bench.render(path, Self.wanted) }
        #expect(error?.code == .corrupt)
    }

    @Test("A file that is gone is not the picture's fault")
    func missing() throws {
        let bench = try Bench()
        let error = #expect(throws: RenderError.self) {
            try bench.renderer.render(
                RenderJob(original: "/nonexistent", format: .png, wanted: Self.wanted)
            )
        }
        #expect(error?.code == .unreadable)
        #expect(error?.isPermanent == false)
    }

    @Test("A store that takes no file ends the run")
    func store() throws {
        let bench = try Bench()
        let path = try bench.draw("photo((64, 48)).save('a', 'jpeg')", "a")
        try bench.scratch.block("tmp")
        let error = #expect(throws: RenderError.self) { try bench.render(path, Self.wanted) }
        #expect(error?.code == .storeFailed)
        #expect(error?.endsRun == true)
        #expect(error?.isPermanent == false)
    }

    @Test("Formats that the settings leave out are refused")
    func allowList() throws {
        var settings = RenderSettings()
        settings.loaders = [.png]
        let bench = try Bench(settings)
        let path = try bench.draw("photo((64, 48)).save('a', 'jpeg')", "a")
        let error = #expect(throws: RenderError.self) { try bench.render(path, Self.wanted) }
        #expect(error?.code == .unsupportedType)
        #expect(error?.message.contains("jpeg") == true)
    }

    @Test(
        "What cameras and servers do to good files harms nothing",
        arguments: [
            // A scan whose header does not say what it should of a sequential file.
            """
            at = data.index(b'\\xff\\xda'); data[at + 11:at + 14] = b'\\0\\0\\0'
            """,
            // Bytes between two segments.
            """
            at = data.index(b'\\xff\\xc0'); data[at:at] = b'junk'
            """,
            // Another picture after the end, and text.
            "data += data[:]", "data += b'\\r\\n--boundary--\\r\\n'",
            // Fill bytes before a marker.
            """
            at = data.index(b'\\xff\\xc0'); data[at:at] = b'\\xff' * 9
            """,
        ]
    )
    func oddities(change: String) throws {
        let bench = try Bench()
        let path = try bench.draw(
            """
            texture((320, 240)).save('a', 'jpeg', quality=90)
            data = bytearray(open('a', 'rb').read())
            """ + "\n" + change + "\n" + """
                open('b', 'wb').write(data)
                """,
            "b"
        )
        let wanted = [WantedVariant.made(quality: 100, format: .png)]
        let odd = try bench.render(path, wanted)
        let plain = try bench.render(bench.scratch.file("a"), wanted)
        #expect(odd.variants == plain.variants)
    }

    @Test("A phone's file of several pictures shows its main one")
    func severalPictures() throws {
        let bench = try Bench()
        let path = try bench.draw(
            """
            image = halves('RGB', (64, 32), (250, 0, 0), (0, 0, 250))
            image.save('a', 'mpo', save_all=True, append_images=[image.rotate(180)])
            """,
            "a"
        )
        let result = try bench.render(path, [.made(format: .webp), .original])
        #expect(result.facts.frames == 1)
        #expect(result.facts.size == Size(width: 64, height: 32))
        let reading = try bench.read(#require(result.variant(.made(format: .webp))))
        #expect(isNear(reading.colour(.left), [250, 0, 0, 255], within: 12))
    }
}
