import Foundation
import Imaging
import PictureSupport
import TestSupport
import Testing

/// Held against values that are computed here, or against Pillow.
@Suite("Blurring, sharpening and changing colours")
struct StepOperationTests {
    /// A row of pixels, the same in every line, so that what happens across is all that happens.
    private func image(_ row: [[UInt8]], lines: Int = 9) throws -> Image {
        try Image.fromSamples(
            Array(repeating: row.flatMap(\.self), count: lines).flatMap(\.self),
            width: row.count,
            height: lines,
            bands: row[0].count
        )
    }

    /// The middle line, a list of bands for each pixel.
    private func row(_ image: borrowing Image) throws -> [[Int]] {
        let (width, bands) = (image.width, image.bands)
        let samples = try image.samples().dropFirst(image.height / 2 * width * bands)
        return (0..<width).map { x in
            (0..<bands).map { Int(samples[samples.startIndex + x * bands + $0]) }
        }
    }

    private static func gaussian(_ sigma: Double) -> [Double] {
        let reach = Int(5 * sigma) + 2
        let values = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        return values.map { $0 / values.reduce(0, +) }
    }

    /// A row blurred by the formula; its outermost pixels go on beyond its ends.
    private static func blurred(_ row: [Double], _ sigma: Double) -> [Double] {
        let kernel = gaussian(sigma)
        return row.indices.map { x in
            kernel.enumerated().reduce(0) { sum, tap in
                let at = min(max(x + tap.offset - kernel.count / 2, 0), row.count - 1)
                return sum + tap.element * row[at]
            }
        }
    }

    @Test("A blur is the Gaussian of its sigma", arguments: [0.6, 1, 2, 5])
    func blurredLine(sigma: Double) throws {
        var line = Array(repeating: [UInt8(0)], count: 81)
        line[40] = [255]
        line[0] = [200]
        let found = try row(image(line).blurred(sigma: sigma)).map { $0[0] }
        let wanted = Self.blurred(line.map { Double($0[0]) }, sigma)
        for (x, value) in wanted.enumerated() {
            #expect(abs(Double(found[x]) - value) <= 1, "at \(x)")
        }
        #expect(found.contains { $0 > 10 })
    }

    @Test("A wide blur is the Gaussian of its sigma too", arguments: [6, 9.5, 10, 12, 30, 50])
    func wideBlur(sigma: Double) throws {
        // An edge near a border, stripes that a smaller image cannot have, noise, a lone line.
        var generator = SeededGenerator(seed: 5)
        var line = Array(repeating: [UInt8(255)], count: 13) + Array(repeating: [0], count: 200)
        line += (0..<150).map { [$0 * 10 / 19 % 2 == 0 ? 255 : 0] }
        line += (0..<100).map { _ in [UInt8.random(in: 0...255, using: &generator)] }
        line += Array(repeating: [0], count: 201)
        line[560] = [255]
        line[663] = [200]
        let found = try row(image(line).blurred(sigma: sigma)).map { $0[0] }
        let wanted = Self.blurred(line.map { Double($0[0]) }, sigma)
        for (x, value) in wanted.enumerated() {
            #expect(abs(Double(found[x]) - value) <= 0.8, "at \(x), seed \(generator.seed)")
        }
    }

    @Test("A blur spreads a line by its sigma", arguments: [0.5, 2, 5.9, 6, 10, 23, 30, 50])
    func spread(sigma: Double) throws {
        let width = 601
        let half = Int(sigma / 2)
        let bar = 300 - half...300 + half
        let line = (0..<width).map { [UInt8(bar.contains($0) ? 255 : 0)] }
        let found = try row(image(line).blurred(sigma: sigma)).map { Double($0[0]) }
        let wanted = Self.blurred(line.map { Double($0[0]) }, sigma).map { $0.rounded() }
        func deviation(_ values: [Double]) -> Double {
            let sum = values.reduce(0, +)
            let squares = values.enumerated().reduce(0) {
                $0 + $1.element * pow(Double($1.offset - 300), 2)
            }
            return (squares / sum).squareRoot()
        }
        #expect(abs(deviation(found) / deviation(wanted) - 1) < 0.03)
        let moment = found.enumerated().reduce(0) { $0 + Double($1.offset - 300) * $1.element }
        #expect(abs(moment / found.reduce(0, +)) < 0.1, "nothing moves aside")
    }

    @Test("A blur is the same in both directions, in every band, and reaches over no border")
    func blurredBands() throws {
        let scratch = try Scratch()
        try Pillow.run("texture((60, 40)).save('a.png')", in: scratch)
        let texture = try Image.open(scratch.file("a.png"), loader: .png).standardColour()
            .inMemory()
        let turned = try Pillow.run(
            """
            Image.open('a.png').transpose(Image.TRANSPOSE).save('b.png')
            """,
            in: scratch
        )
        #expect(turned.isEmpty)
        let other = try Image.open(scratch.file("b.png"), loader: .png).standardColour().inMemory()
        let (a, b) = try (texture.blurred(sigma: 3).samples(), other.blurred(sigma: 3).samples())
        for y in 0..<40 {
            for x in 0..<60 {
                for band in 0..<3 {
                    let (first, second) = (a[(y * 60 + x) * 3 + band], b[(x * 40 + y) * 3 + band])
                    #expect(abs(Int(first) - Int(second)) <= 1)
                }
            }
        }
    }

    @Test("What is flat stays as it is up to its borders, in every layout", arguments: 1...4)
    func flat(bands: Int) throws {
        let pixel = Array([UInt8(10), 201, 97, 130].prefix(bands))
        let flat = try image(Array(repeating: pixel, count: 20))
        let wanted = Array(repeating: pixel.map { Int($0) }, count: 20)
        #expect(try row(flat.sharpened(sigma: 2, amount: 10)) == wanted)
        for sigma in [4.0, 40] {
            let blurred = try row(flat.blurred(sigma: sigma))
            for pixel in blurred { #expect(isNear(pixel, wanted[0], within: 1)) }
        }
    }

    @Test("What is transparent colours nothing and darkens nothing", arguments: [3.0, 20])
    func hiddenColours(sigma: Double) throws {
        let hidden: [UInt8] = [0, 255, 40, 0]
        let seen: [UInt8] = [250, 0, 0, 255]
        let half = try image(
            Array(repeating: seen, count: 20) + Array(repeating: hidden, count: 20)
        )
        for pixel in try row(half.blurred(sigma: sigma)) where pixel[3] > 2 {
            // The fainter a pixel, the fewer bits its colour has.
            let slack = 2 + 255 / pixel[3]
            #expect(isNear(pixel, [250, 0, 0, pixel[3]], within: slack), "\(pixel)")
        }
        let alphas = try row(half.blurred(sigma: sigma)).map { $0[3] }
        #expect(abs(alphas[19] + alphas[20] - 255) <= 1 && alphas[19] > alphas[20])
        let sharpened = try row(half.sharpened(sigma: 2, amount: 3))
        #expect(sharpened.prefix(20).allSatisfy { $0 == [250, 0, 0, 255] })
        #expect(sharpened.suffix(20).allSatisfy { $0[3] == 0 })
    }

    @Test("Sharpening raises an edge by the formula and leaves the rest alone")
    func edge() throws {
        let line = Array(repeating: [UInt8(100)], count: 20) + Array(repeating: [150], count: 20)
        let found = try row(image(line).sharpened(sigma: 1.5, amount: 1.2)).map { $0[0] }
        let values = line.map { Double($0[0]) }
        for (x, blurred) in Self.blurred(values, 1.5).enumerated() {
            let wanted = values[x] + 1.2 * (values[x] - blurred)
            #expect(abs(Double(found[x]) - wanted) <= 0.6, "at \(x)")
        }
        #expect(found[19] < 90 && found[20] > 160)
        #expect(found.prefix(12).allSatisfy { $0 == 100 })
        #expect(try row(image(line).sharpened(sigma: 1.5, amount: 0)).map { $0[0] }[19] == 100)
    }

    @Test("Sharpening adds the same to all colours, so that edges keep theirs")
    func colouredEdge() throws {
        let (left, right): ([UInt8], [UInt8]) = ([120, 80, 60], [180, 140, 120])
        let line = Array(repeating: left, count: 10) + Array(repeating: right, count: 10)
        for pixel in try row(image(line).sharpened(sigma: 1, amount: 1)) {
            #expect(pixel[0] - pixel[1] == 40 && pixel[1] - pixel[2] == 20, "\(pixel)")
        }
    }

    @Test("Blurring and sharpening are near Pillow's")
    func pillow() throws {
        let scratch = try Scratch()
        try Pillow.run(
            """
            from PIL import ImageFilter
            image = texture((120, 90)).convert('L')
            image.save('a.png')
            image.filter(ImageFilter.UnsharpMask(radius=2, percent=400, threshold=0)).save('s.png')
            image.filter(ImageFilter.GaussianBlur(6)).save('g.png')
            """,
            in: scratch
        )
        let image = try Image.open(scratch.file("a.png"), loader: .png).standardColour().inMemory()
        for (name, made) in [
            ("s", try image.sharpened(sigma: 2, amount: 4).encoded(as: .png(interlaced: false))),
            ("g", try image.blurred(sigma: 6).encoded(as: .png(interlaced: false))),
        ] {
            _ = try scratch.write(made, as: "our-\(name).png")
            let text = try Pillow.run(
                """
                print(decibels(Image.open('\(name).png'), Image.open('our-\(name).png')),
                    decibels(Image.open('a.png'), Image.open('our-\(name).png')))
                """,
                in: scratch
            )
            let decibels = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
            // Pillow makes its Gaussian of three boxes.
            #expect(decibels[0] > 40, "\(name): \(decibels)")
            #expect(decibels[1] < 35, "\(name) does something: \(decibels)")
        }
    }

    @Test("Grey is what CSS makes of colours, not what Pillow or libvips would")
    func grey() throws {
        var generator = SeededGenerator(seed: 7)
        let corners: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [128, 128, 128]]
        let colours =
            corners
            + (0..<60).map { _ in
                (0..<3).map { _ in UInt8.random(in: 0...255, using: &generator) }
            }
        let found = try row(image(colours).grey())
        #expect(found.prefix(4).map { $0 } == [[54], [182], [18], [128]])
        let gone = try row(image(colours).adjusted(brightness: 1, contrast: 1, saturation: 0))
        for (index, colour) in colours.enumerated() {
            let wanted =
                0.2126 * Double(colour[0]) + 0.7152 * Double(colour[1])
                + 0.0722 * Double(colour[2])
            #expect(abs(Double(found[index][0]) - wanted) <= 0.7, "seed \(generator.seed)")
            #expect(gone[index] == Array(repeating: found[index][0], count: 3))
        }
        let clear = colours.enumerated().map { $1 + [UInt8($0 * 4)] }
        let both = try row(image(clear).grey())
        #expect(both == zip(found, clear).map { $0 + [Int($1[3])] })
        #expect(try row(image([[7, 9], [8, 0]]).grey()) == [[7, 9], [8, 0]])
    }

    @Test(
        "Brightness, contrast and saturation are those of CSS",
        arguments: [
            (1, 1, 1), (1.4, 1, 1), (1, 0.5, 1), (1, 2, 1), (1, 1, 0), (1, 1, 1.5), (1.2, 1.1, 0.7),
            (2, 0.5, 1), (3, 0.7, 0.5), (1, 4, 0.3), (0.5, 3, 4), (10, 10, 10), (0, 0, 0),
        ]
    )
    func adjust(brightness: Double, contrast: Double, saturation: Double) throws {
        var generator = SeededGenerator(seed: 11)
        let colours = (0..<50).map { _ in
            (0..<4).map { _ in UInt8.random(in: 0...255, using: &generator) }
        }
        let found = try row(
            image(colours).adjusted(
                brightness: brightness,
                contrast: contrast,
                saturation: saturation
            )
        )
        for (colour, pixel) in zip(colours, found) {
            let c = colour.prefix(3).map {
                let bright = min(Double($0) * brightness, 255)
                return min(max((bright - 127.5) * contrast + 127.5, 0), 255)
            }
            let s = saturation
            let wanted = [
                (0.213 + 0.787 * s) * c[0] + (0.715 - 0.715 * s) * c[1] + (0.072 - 0.072 * s)
                    * c[2],
                (0.213 - 0.213 * s) * c[0] + (0.715 + 0.285 * s) * c[1] + (0.072 - 0.072 * s)
                    * c[2],
                (0.213 - 0.213 * s) * c[0] + (0.715 - 0.715 * s) * c[1] + (0.072 + 0.928 * s)
                    * c[2],
            ].map { min(max($0, 0), 255) }
            for band in 0..<3 { #expect(abs(Double(pixel[band]) - wanted[band]) <= 0.51) }
            #expect(pixel[3] == Int(colour[3]))
            if (brightness, contrast, saturation) == (1, 1, 1) {
                #expect(pixel == colour.map { Int($0) })
            }
        }
    }

    @Test("What is too bright for a pixel is cut off before contrast and saturation see it")
    func cutOff() throws {
        let colour = try image([[10, 200, 30]])
        let softer = try row(colour.adjusted(brightness: 2, contrast: 0.5, saturation: 1))
        #expect(softer == [[74, 191, 94]])
        let greyer = try row(colour.adjusted(brightness: 2, contrast: 1, saturation: 0))
        #expect(greyer == [[191, 191, 191]])
        let both = try row(colour.adjusted(brightness: 1, contrast: 3, saturation: 0))
        #expect(both == [[182, 182, 182]])
    }

    @Test("Grey has brightness and contrast, and no saturation")
    func adjustedGrey() throws {
        let found = try row(
            image([[100, 3], [200, 255]]).adjusted(brightness: 1.5, contrast: 0.5, saturation: 9)
        )
        #expect(isNear(found[0], [139, 3], within: 0))
        #expect(isNear(found[1], [191, 255], within: 0))
    }
}
