internal import CVips

/// A colour profile's own statements, as far as they decide what is done with it.
struct ColourProfile {
    private let bytes: [UInt8]

    /// The profile among an image's fields.
    init?(of image: borrowing Image) {
        let field = unsafe cvips_icc_field()
        var data: UnsafeRawPointer?
        var length = 0
        guard unsafe vips_image_get_typeof(image.pointer, field) != 0,
            unsafe vips_image_get_blob(image.pointer, field, &data, &length) == 0
        else { return nil }
        bytes = unsafe Array(UnsafeRawBufferPointer(start: data, count: length))
    }

    /// Whether this is a profile at all, for pixels of so many colours.
    func fits(colours: Int) -> Bool {
        let space = colours == 1 ? "GRAY" : colours == 3 ? "RGB " : "CMYK"
        return bytes.count > 132 && text(at: 36) == "acsp" && text(at: 16) == space
    }

    /// Whether the profile describes sRGB, as most do: there is then nothing to convert.
    ///
    /// Known by its primaries and by its curves, which many tools write in many ways; a profile
    /// with tables of its own is left to the colour engine.
    var isSRGB: Bool {
        let hasTables = tag("A2B0") != nil || tag("A2B1") != nil
        guard fits(colours: 3), text(at: 20) == "XYZ ", !hasTables else { return false }
        let primaries: [(String, [Double])] = [
            ("rXYZ", [0.4361, 0.2225, 0.0139]), ("gXYZ", [0.3851, 0.7169, 0.0971]),
            ("bXYZ", [0.1431, 0.0606, 0.7141]),
        ]
        for (name, wanted) in primaries {
            guard let at = tag(name), at + 20 <= bytes.count else { return false }
            for (index, value) in wanted.enumerated()
            where abs(fixed(at: at + 8 + 4 * index) - value) > 0.002 {
                return false
            }
        }
        return ["rTRC", "gTRC", "bTRC"].allSatisfy { isCurveOfSRGB($0) }
    }

    private func isCurveOfSRGB(_ name: String) -> Bool {
        guard let at = tag(name), at + 12 <= bytes.count else { return false }
        return (0...32).allSatisfy { step in
            let x = Double(step) / 32
            let linear = x <= 0.04045 ? x / 12.92 : power((x + 0.055) / 1.055, 2.4)
            guard let value = curve(at: at, of: x) else { return false }
            return abs(value - linear) < 0.004
        }
    }

    /// A curve's value; `nil` for kinds that sRGB is not written in.
    private func curve(at offset: Int, of x: Double) -> Double? {
        if text(at: offset) == "curv" {
            let count = word(at: offset + 8)
            guard count >= 2, count <= bytes.count, offset + 12 + 2 * count <= bytes.count
            else { return nil }
            let place = x * Double(count - 1)
            let first = min(Int(place), count - 2)
            let values = [first, first + 1].map { Double(half(at: offset + 12 + 2 * $0)) / 65535 }
            return values[0] + (values[1] - values[0]) * (place - Double(first))
        }
        guard text(at: offset) == "para", half(at: offset + 8) == 3, offset + 32 <= bytes.count
        else { return nil }
        let p = (0..<5).map { fixed(at: offset + 12 + 4 * $0) }
        return x >= p[4] ? power(p[1] * x + p[2], p[0]) : p[3] * x
    }

    private func power(_ base: Double, _ exponent: Double) -> Double { cvips_power(base, exponent) }

    /// Where a tag's data begins.
    private func tag(_ name: String) -> Int? {
        for index in 0..<min(word(at: 128), 100) {
            let entry = 132 + 12 * index
            guard entry + 12 <= bytes.count else { return nil }
            if text(at: entry) == name { return word(at: entry + 4) }
        }
        return nil
    }

    private func text(at offset: Int) -> String {
        String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
    }

    private func half(at offset: Int) -> Int { Int(bytes[offset]) << 8 | Int(bytes[offset + 1]) }

    private func word(at offset: Int) -> Int { half(at: offset) << 16 | half(at: offset + 2) }

    private func fixed(at offset: Int) -> Double {
        Double(Int32(truncatingIfNeeded: word(at: offset))) / 65536
    }
}
