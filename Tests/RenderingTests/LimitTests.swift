import GearboxURL
import Imaging
import PictureSupport
import Rendering
import Store
import Testing

@Suite("Limits")
struct LimitTests {
    @Test("A header that declares huge sides is refused before any pixel")
    func bomb() throws {
        let bench = try Bench()
        let path = try bench.draw(
            """
            def chunk(name, data): return (struct.pack('>I', len(data)) + name + data
                + struct.pack('>I', zlib.crc32(name + data)))
            head = struct.pack('>IIBBBBB', 787402, 787402, 8, 2, 0, 0, 1)
            open('a', 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', head)
                + chunk(b'IDAT', zlib.compress(b'0' * 50)))
            """,
            "a"
        )
        let error = #expect(throws: RenderError.self) { try bench.render(path, [.made(.x, 9, 9)]) }
        #expect(error?.code == .tooManyPixels)
        #expect(error?.message.contains("787402x787402") == true)
    }

    @Test("Pixels, frames and bytes have their own reasons")
    func reasons() throws {
        let drawing = """
            photo((100, 100)).save('a', 'gif', save_all=True,
                append_images=[photo((100, 100)).rotate(90 * i) for i in (1, 2)])
            """
        var settings = RenderSettings()
        settings.limits.pixels = 9999
        var bench = try Bench(settings)
        var path = try bench.draw(drawing, "a")
        #expect(throws: RenderError.self) { try bench.render(path, [.original]) }
        #expect(code { try bench.render(path, [.original]) } == .tooManyPixels)

        settings = RenderSettings()
        settings.limits.frames = 2
        bench = try Bench(settings)
        path = try bench.draw(drawing, "a")
        #expect(code { try bench.render(path, [.original]) } == .tooManyFrames)

        settings = RenderSettings()
        settings.limits.bytes = 100
        bench = try Bench(settings)
        path = try bench.draw(drawing, "a")
        #expect(code { try bench.render(path, [.original]) } == .tooLarge)

        bench = try Bench()
        path = try bench.draw(drawing, "a")
        #expect(try bench.render(path, [.original]).variants.count == 1)
    }

    @Test("A small JPEG of endless scans is refused before it is decoded")
    func scans() throws {
        let bench = try Bench()
        let path = try bench.draw(
            """
            photo((320, 240)).save('a', 'jpeg', progressive=True)
            data = open('a', 'rb').read()
            scan = data[data.rindex(b'\\xff\\xda'):-2]
            open('a', 'wb').write(data[:-2] + scan * 300 + data[-2:])
            """,
            "a"
        )
        let error = #expect(throws: RenderError.self) { try bench.render(path, [.made(.x, 9, 9)]) }
        #expect(error?.code == .corrupt)
        #expect(error?.message.contains("310 scans") == true)
    }

    @Test("Time that is up is a reason of its own, and no fault of the picture")
    func seconds() throws {
        var settings = RenderSettings()
        settings.limits.seconds = 0.02
        let bench = try Bench(settings)
        let path = try bench.draw("photo((4000, 3000)).save('a', 'png', compress_level=1)", "a")
        let error = #expect(throws: RenderError.self) {
            try bench.render(path, [.made(format: .webp)])
        }
        #expect(error?.code == .timedOut)
        #expect(error?.isPermanent == false)
    }

    private func code(_ work: () throws -> RenderedSource) -> RenderError.Code? {
        do {
            _ = try work()
            return nil
        } catch { return (error as? RenderError)?.code }
    }
}
