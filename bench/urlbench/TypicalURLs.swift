/// NOS URLs as an app's feed asks for them: many pictures, few sizes, five parameters.
struct TypicalURLs {
    private var state: UInt64 = 0x5EED

    private static let pictures = 500_000
    private static let names = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    )
    private static let sides = [
        34, 50, 64, 88, 100, 112, 130, 140, 177, 200, 228, 240, 247, 300, 320, 360, 400, 500, 640,
        750, 900, 1000,
    ]
    private static let qualities = [50, 60, 75, 80, 85, 90]
    private static let modes = Array("xyz".utf8)

    /// The next URL, without a line end.
    mutating func append(to bytes: inout [UInt8]) {
        bytes += "https://p".utf8
        bytes.append(UInt8(ascii: "1") + UInt8(next(4)))
        bytes += ".music.126.net/".utf8
        // A picture always has the same name.
        let rest = state
        state = UInt64(next(Self.pictures))
        for _ in 0..<22 { bytes.append(Self.names[next(64)]) }
        bytes += "==/".utf8
        for _ in 0..<16 { bytes.append(UInt8(ascii: "0") + UInt8(next(10))) }
        state = rest
        bytes += ".jpg?imageView=1&enlarge=1&quality=".utf8
        bytes += String(Self.qualities[next(Self.qualities.count)]).utf8
        bytes += "&thumbnail=".utf8
        let width = Self.sides[next(Self.sides.count)]
        let height = next(4) == 0 ? Self.sides[next(Self.sides.count)] : width
        bytes += String(width).utf8
        bytes.append(Self.modes[next(3)])
        bytes += String(height).utf8
        bytes += "&type=webp".utf8
    }

    /// SplitMix64: the same URLs in every run.
    private mutating func next(_ count: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(count))
    }
}
