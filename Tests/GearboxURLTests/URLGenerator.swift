import GearboxURL

/// URLs as they occur, with everything that the rules speak of, and rules for them.
struct URLGenerator {
    /// What a URL was made of; `url` puts it together.
    struct Pieces {
        var scheme: String
        var host: String
        var path: String
        var items: [String]
        var fragment: String

        var url: String {
            scheme + host + path + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
                + fragment
        }
    }

    static let origins = [
        OriginRules(
            name: "music",
            hosts: ["p1.music.example", "p2.music.example"],
            drop: ["utm_*"]
        ),
        OriginRules(
            name: "other.example",
            hosts: ["img.example:8080"],
            keep: ["k*"],
            unknown: .drop
        ),
        OriginRules(name: "oss", hosts: ["oss.example"], dialect: .oss),
        OriginRules(name: "qiniu", hosts: ["qiniu.example"], dialect: .qiniu),
        OriginRules(name: "tencent", hosts: ["tencent.example"], dialect: .tencent),
        OriginRules(name: "plain", hosts: ["plain.example"], dialect: .none),
    ]

    private static let hosts = [
        "p1.music.example", "P2.Music.Example:80", "img.example:8080", "other.example",
        "oss.example", "qiniu.example", "tencent.example", "plain.example", "h", "h:81", "[::1]",
        "h%2D", "127.0.0.1",
    ]
    private static let paths = [
        "", "/", "/a.jpg", "/6y-Ule==/56.jpg", "/a//b", "/a/../b/./c.jpg", "/%7Ea%2fb", "/é 中",
        "/%e4%BD%a0", "/100%", "/..", "/a|b", "/A.jpg;v=1",
    ]
    private static let names = [
        "imageView", "quality", "type", "enlarge", "interlace", "tostatic", "stripmeta", "axis",
        "crop", "watermark", "a", "b", "A", "utm_source", "k1", "K", "q%75ality", "Quality",
        "x-oss-process", "zz", "é", "imageview", "",
    ]
    private static let values = [
        "", "0", "1", "2", "39", "80", "100", "101", "webp", "JPEG", "png", "5_5", "0_10", "3_7",
        "%7e", "%2F", "a=b", "x y", "%", "é",
    ]
    private static let bareItems = [
        "imageView", "a", "axis_5_5", "crop", "", "imageView2/2/w/100", "imageslim", "exif",
        "imageView2/2/interlace/1", "imageMogr2/thumbnail/100x",
    ]
    private static let signatures = ["Signature=a%2bb", "Expires=1", "token=t", "x-amz-date=1"]

    static func pieces(_ generator: inout SeededGenerator) -> Pieces {
        var items: [String] = []
        for _ in 0..<Int.random(in: 0...6, using: &generator) { items.append(item(&generator)) }
        if generator.chance(0.05) { items.append(generator.pick(signatures)) }
        if generator.chance(0.03) { items.append("a=1%7cb") }
        return Pieces(
            scheme: generator.pick(["http://", "http://", "https://", "HTTP://"]),
            host: generator.pick(hosts),
            path: generator.pick(paths),
            items: items,
            fragment: generator.chance(0.1) ? "#f?x" : ""
        )
    }

    private static func item(_ generator: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<3:
            return generator.pick(["param", "thumbnail"]) + "=" + box(&generator)
        case 3:
            return generator.pick(bareItems)
        case 4:
            let sides = "w/\(side(&generator))/h/\(side(&generator))"
            let mode = Int.random(in: 0...5, using: &generator)
            return "imageView2/\(mode)/\(sides)" + generator.pick(["", "/q/7", "/format/webp"])
        case 5:
            let mode = generator.pick(["lfit", "fill", "mfit", "pad"])
            return "x-oss-process=image/resize,m_\(mode),w_\(side(&generator)),"
                + "h_\(side(&generator))" + generator.pick(["", ",limit_0", "/quality,q_5"])
        default:
            return generator.pick(names) + "=" + generator.pick(values)
        }
    }

    private static func box(_ generator: inout SeededGenerator) -> String {
        if generator.chance(0.05) { return generator.pick(["", "abc", "100", "4097x1", "1X1"]) }
        let mode = generator.pick(["x", "y", "z"])
        return "\(side(&generator))\(mode)\(side(&generator))"
    }

    private static func side(_ generator: inout SeededGenerator) -> Int {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: 0
        case 1: generator.pick([1, 30, 1024, 4096])
        case 2..<8: Int.random(in: 1...1200, using: &generator)
        default: Int.random(in: 1...4096, using: &generator)
        }
    }

    /// Rules with ladders of any shape.
    static func rules(_ generator: inout SeededGenerator) -> CanonicalRules {
        let sizes = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
            side(&generator)
        }
        let qualities = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
            Int.random(in: 1...100, using: &generator)
        }
        return CanonicalRules(
            sizes: SizeLadder(
                gears: sizes.map { max($0, 1) },
                overflow: generator.pick(Overflow.allCases)
            ),
            qualities: QualityLadder(
                gears: qualities,
                defaultQuality: Int.random(in: 1...100, using: &generator)
            ),
            origins: origins
        )
    }
}
