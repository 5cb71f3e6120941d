import GearboxURL
import PictureSupport
import Rendering
import Store
import Testing

/// AVIF, as every HEIF a container of several items that may say how it is turned.
@Suite("Pictures in containers")
struct ContainerTests {
    /// Python that puts a turn into a container and names another item as the main one.
    private static let containers = """
        def boxes(data, start, end):
            found = {}
            while start + 8 <= end:
                size = struct.unpack('>I', data[start:start + 4])[0]
                found[bytes(data[start + 4:start + 8])] = start
                start += size
            return found
        def word(data, at): return struct.unpack('>I', data[at:at + 4])[0]
        def turned(data, quarters):
            '''The first item is shown turned by so many quarters, against the clock.'''
            data = bytearray(data)
            meta = boxes(data, 0, len(data))[b'meta']
            inner = boxes(data, meta + 12, meta + word(data, meta))
            iprp = inner[b'iprp']
            parts = boxes(data, iprp + 8, iprp + word(data, iprp))
            ipco, ipma = parts[b'ipco'], parts[b'ipma']
            properties = 0
            at = ipco + 8
            while at < ipco + word(data, ipco): properties += 1; at += word(data, at)
            iloc = inner[b'iloc']
            count = struct.unpack('>H', data[iloc + 14:iloc + 16])[0]
            assert data[iloc + 12] == 0x44 and data[iloc + 13] == 0x40
            grown = 10
            at = iloc + 16
            for _ in range(count):
                data[at + 4:at + 8] = struct.pack('>I', word(data, at + 4) + grown)
                at += 10 + 8 * struct.unpack('>H', data[at + 8:at + 10])[0]
            # Size, flags, number of items, then the first item: its name and its properties.
            data[ipma + 18] += 1
            end = ipma + 19 + data[ipma + 18] - 1
            data[end:end] = bytes([0x80 | (properties + 1)])
            data[ipma:ipma + 4] = struct.pack('>I', word(data, ipma) + 1)
            data[ipco + word(data, ipco):ipco + word(data, ipco)] = (
                struct.pack('>I', 9) + b'irot' + bytes([quarters]))
            data[ipco:ipco + 4] = struct.pack('>I', word(data, ipco) + 9)
            for outer in (iprp, meta):
                data[outer:outer + 4] = struct.pack('>I', word(data, outer) + grown)
            return bytes(data)
        def with_main(data, item):
            at = data.index(b'pitm') + 8
            return data[:at] + struct.pack('>H', item) + data[at + 2:]
        def avif(source, *options):
            subprocess.run(['vips', 'heifsave', source, 'b.avif', '--compression', 'av1',
                '--speed', '9', '--Q', '90', *options], check=True, stderr=subprocess.DEVNULL)
            return open('b.avif', 'rb').read()
        def say(name, exif=None, xmp=None):
            # Red on the left and blue on the right, as stored.
            image = halves('RGB', (64, 32), (250, 0, 0), (0, 0, 250))
            options = dict(quality=95, subsampling=0)
            if exif: e = Image.Exif(); e[0x112] = exif; options['exif'] = e
            image.save(name, 'jpeg', **options)
            if xmp:
                data = open(name, 'rb').read()
                packet = (b'http://ns.adobe.com/xap/1.0/\\0<x:xmpmeta xmlns:x="adobe:ns:meta/">'
                    b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
                    b'<rdf:Description xmlns:tiff="http://ns.adobe.com/tiff/1.0/" '
                    b'tiff:Orientation="%d"/></rdf:RDF></x:xmpmeta>' % xmp)
                open(name, 'wb').write(special.with_segment(data, 0xE1, packet))

        """

    /// Where the red half shall be.
    enum Shown: Sendable {
        case asStored, turned
    }

    @Test(
        "The container's turn is applied once; what EXIF or XMP say beside it is not",
        arguments: [
            ("say('a'); data = avif('a')", Shown.asStored),
            ("say('a', exif=6); data = avif('a')", .asStored),
            ("say('a', xmp=6); data = avif('a')", .asStored),
            // Three quarters against the clock are one with it: red comes to the top.
            ("say('a'); data = turned(avif('a'), 3)", .turned),
            ("say('a', exif=6); data = turned(avif('a'), 3)", .turned),
            ("say('a', xmp=6); data = turned(avif('a'), 3)", .turned),
            ("say('a', exif=8); data = turned(avif('a'), 3)", .turned),
        ]
    )
    func turns(script: String, shown: Shown) throws {
        let bench = try Bench()
        let path = try bench.draw(
            Self.containers + script + "\nopen('f', 'wb').write(data)",
            "f"
        )
        let wanted: [WantedVariant] = [
            .made(quality: 100, format: .png), .made(.x, 16, 16, quality: 100, format: .png),
            .made(.y, 8, 8, quality: 100, format: .png), .made(.z, 20, 20, format: .webp),
        ]
        let result = try bench.render(path, wanted)
        let isTurned = shown == .turned
        let size = Size(width: isTurned ? 32 : 64, height: isTurned ? 64 : 32)
        #expect(result.facts.size == size)
        let small = Size(width: isTurned ? 8 : 16, height: isTurned ? 16 : 8)
        #expect(result.variant(wanted[1])?.size == small)
        let readings = try bench.read(wanted.compactMap { result.variant($0) })
        #expect([readings[0].width, readings[0].height] == [size.width, size.height])
        for reading in readings {
            let (red, blue): (Place, Place) = isTurned ? (.top, .bottom) : (.left, .right)
            #expect(isNear(reading.colour(red), [250, 0, 0, 255], within: 40), "\(reading)")
            #expect(isNear(reading.colour(blue), [0, 0, 250, 255], within: 40), "\(reading)")
        }
    }

    @Test(
        "Of several pictures the main one is shown, and the others are no frames",
        arguments: [1, 3]
    )
    func mainPicture(item: Int) throws {
        var settings = RenderSettings()
        settings.animation = .keep
        let bench = try Bench(settings)
        let path = try bench.draw(
            Self.containers + """
                image = halves('RGB', (64, 32), (250, 0, 0), (0, 0, 250))
                image.save('a.tiff', save_all=True, append_images=[image.rotate(180)])
                open('f', 'wb').write(with_main(avif('a.tiff[n=-1]'), \(item)))
                """,
            "f"
        )
        let result = try bench.render(path, [.made(format: .webp)])
        #expect(result.facts.frames == 1)
        #expect(result.facts.size == Size(width: 64, height: 32))
        let reading = try bench.read(#require(result.variants.first))
        #expect(reading.frames == 1)
        let left = item == 1 ? [250, 0, 0, 255] : [0, 0, 250, 255]
        #expect(isNear(reading.colour(.left), left, within: 12))
    }

    @Test("Of a TIFF with several pages the first is shown")
    func firstPage() throws {
        var settings = RenderSettings()
        settings.animation = .keep
        let bench = try Bench(settings)
        let path = try bench.draw(
            """
            image = halves('RGB', (64, 32), (250, 0, 0), (0, 0, 250))
            image.save('f', 'tiff', save_all=True, append_images=[Image.new('L', (9, 70), 5)])
            """,
            "f"
        )
        let result = try bench.render(path, [.made(format: .webp), .original])
        #expect(result.facts.frames == 1)
        #expect(result.facts.size == Size(width: 64, height: 32))
        let reading = try bench.read(#require(result.variant(.made(format: .webp))))
        #expect(reading.frames == 1)
        #expect(isNear(reading.colour(.left), [250, 0, 0, 255], within: 12))
    }
}
