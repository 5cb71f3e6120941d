import GearboxDatabase
import GearboxIndex
import GearboxURL
import PictureSupport

/// A random index, and random requests of it that come close to what its rows can serve.
struct ReuseScene {
    private var random: SeededGenerator
    private let canonicalizer: Canonicalizer
    private let meta: IndexMeta
    private let sourceCount: Int
    private var sources: [SourceRow] = []
    /// URLs that the index knows: of variants and of aliases.
    private var known: [String] = []

    /// The same rules for Python, as a pipeline says them.
    static let pipeline = """
        {"gears": {"sizes": [8, 16, 24, 40, 64, 100], "overflow": "passthrough"}, \
        "origins": [{"name": "o", "hosts": ["a.example", "b.example"]}]}
        """

    private static let formats = ["jpg", "png", "webp"]

    private struct SourceRow {
        var id: Int
        var url: String
        var size: Size?
        var animated: Bool
    }

    init(seed: UInt64, sources: Int, steps: String) {
        random = SeededGenerator(seed: seed)
        sourceCount = sources
        meta = IndexMeta(
            rules: CanonicalRules(
                sizes: SizeLadder(gears: [8, 16, 24, 40, 64, 100], overflow: .passthrough),
                qualities: QualityLadder(gears: [39, 69, 89, 100], defaultQuality: 75),
                origins: [OriginRules(name: "o", hosts: ["a.example", "b.example"])]
            ),
            steps: steps,
            generation: 1,
            builtAt: "",
            version: ""
        )
        canonicalizer = Canonicalizer(rules: meta.rules)
    }

    /// Writes the index.
    mutating func write(to path: String) throws {
        let database = try Database(path: path, access: .readWrite)
        try database.execute("PRAGMA synchronous = OFF")
        try database.transaction {
            try IndexSchema.create(in: database)
            try meta.write(to: database)
            try database.execute(
                """
                INSERT INTO origin (id, name, dialect) VALUES (1, 'o', 'nos');
                INSERT INTO host (name, origin_id) VALUES ('a.example', 1), ('b.example', 1);
                """
            )
            for id in 1...sourceCount { try addSource(id, to: database) }
        }
    }

    private mutating func addSource(_ id: Int, to database: Database) throws {
        let path = "/\(id).jpg" + (chance(20) ? "?v=\(id)" : "")
        let source = SourceRow(
            id: id,
            url: "http://a.example\(path)",
            size: chance(6) ? nil : randomSize(),
            animated: chance(25)
        )
        sources.append(source)
        try database.run(
            """
            INSERT INTO source (id, origin_id, path, width, height, animated, alpha, format, stale)
            VALUES (?1, 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """,
            .integer(id),
            .text(path),
            .integer(source.size?.width),
            .integer(source.size?.height),
            .flag(source.animated),
            .flag(chance(40)),
            .text(pick(["jpg", "png", "webp", "gif", "tiff"])),
            .flag(chance(20))
        )
        for _ in 0..<pick([0, 1, 2, 3, 5, 8, 12]) { try addVariant(of: source, to: database) }
        if chance(30) {
            try insert(source.url, of: source, size: source.size, isFull: true, in: database)
        }
        if chance(20) {
            let url = source.url + (path.contains("?") ? "&" : "?") + "watermark"
            try insert(url, of: source, size: source.size, isFull: chance(70), in: database)
        }
        for _ in 0..<pick([0, 1, 3]) {
            known.append(url(of: source))
            let key = String(known[known.count - 1].dropFirst("http://a.example".count))
            try database.run(
                """
                INSERT OR IGNORE INTO alias (origin_id, key, variant_id)
                SELECT 1, ?1, max(id) FROM packed_variant WHERE source_id = ?2 HAVING max(id) > 0
                """,
                .text(key),
                .integer(id)
            )
        }
    }

    /// A row as a run would make it; its sizes are now and then a little different.
    private mutating func addVariant(of source: SourceRow, to database: Database) throws {
        let url = url(of: source)
        guard let directives = try canonicalizer.request(for: url).directives else { return }
        let exact = Geometry.placement(
            source: source.size ?? Size(width: 50, height: 40),
            mode: directives.mode,
            box: directives.box,
            enlarge: directives.enlarge,
            axis: directives.axis
        ).size
        var size: Size? = exact
        if chance(40) {
            size?.width = max(1, exact.width + pick([-2, -1, -1, 0, 0, 1, 1, 2, 5]))
            size?.height = max(1, exact.height + pick([-2, -1, -1, 0, 0, 1, 1, 2, 5]))
        }
        if chance(5) { size = nil }
        let isFull = directives.mode != .y && size != nil && size == source.size
        try insert(url, of: source, size: size, isFull: isFull, in: database)
    }

    private mutating func insert(
        _ url: String,
        of source: SourceRow,
        size: Size?,
        isFull: Bool,
        in database: Database
    ) throws {
        let request = try canonicalizer.request(for: url)
        if chance(50) { known.append(url) }
        let directives = request.directives ?? Directives(quality: 100)
        let format = directives.format?.rawValue ?? pick(Self.formats)
        let digest = (0..<4).map { _ in String(random.next() | 1 << 63, radix: 16) }.joined()
        try database.run(
            """
            INSERT OR IGNORE INTO variant (origin_id, source_id, key, mode, box_width, box_height,
                quality, format, enlarge, extra, width, height, animated, full_size, bytes, file)
            SELECT 1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, 1, ?14
            WHERE NOT EXISTS (SELECT 1 FROM packed_key WHERE origin_id = 1 AND key = ?2)
            """,
            .integer(request.source == nil ? nil : source.id),
            .text(request.key),
            .text(directives.mode?.rawValue ?? ""),
            .integer(directives.box.width),
            .integer(directives.box.height),
            .integer(directives.quality),
            .text(format),
            .flag(directives.enlarge),
            .text(directives.extra),
            .integer(size?.width),
            .integer(size?.height),
            .flag(chance(8)),
            .flag(isFull),
            .text("store/\(digest.prefix(2))/\(digest).\(format)")
        )
    }

    /// A URL of one of the sources, and what the client takes.
    mutating func request() -> (url: String, accepted: Set<String>?) {
        var url = chance(20) ? pick(known) : url(of: pick(sources))
        if chance(3) { url = url.replacing(".jpg", with: ".png") }
        if chance(40) { url = url.replacing("a.example", with: "b.example") }
        guard chance(35) else { return (url, nil) }
        let accepted = Set(Self.formats.filter { _ in chance(60) })
        return (url, accepted.isEmpty ? ["avif"] : accepted)
    }

    private mutating func url(of source: SourceRow) -> String {
        var items: [String] = []
        let mode = pick(["x", "y", "z"])
        if !chance(8) {
            var (width, height) = (side(of: source.size?.width), side(of: source.size?.height))
            if chance(30) { height = width }
            if mode == "x" && chance(10) {
                height = 0
            } else if mode == "x" && chance(10) {
                width = 0
            }
            items.append("thumbnail=\(width)\(mode)\(max(height, width == 0 ? 1 : 0))")
        }
        if !chance(10) { items.append("quality=\(pick([30, 60, 69, 80, 89, 95, 100]))") }
        if chance(50) { items.append("type=\(pick(Self.formats))") }
        if chance(20) { items.append("enlarge=1") }
        if mode == "y" && chance(25) { items.append("axis=\(pick([0, 3, 10]))_\(pick([0, 5, 7]))") }
        if mode != "y" && chance(12) { items.append("tostatic=0") }
        guard !items.isEmpty, !chance(2) else { return source.url }
        return source.url + (source.url.contains("?") ? "&" : "?") + items.joined(separator: "&")
    }

    /// A side of a box, often near the source's own.
    private mutating func side(of length: Int?) -> Int {
        if let length, length <= 4_000, chance(15) { return max(1, length + pick([-1, 0, 1, 3])) }
        return pick([1, 7, 8, 12, 16, 20, 24, 30, 40, 50, 64, 90, 100, 130, 300])
    }

    private mutating func randomSize() -> Size {
        let sides = [1, 2, 7, 16, 23, 40, 64, 99, 100, 101, 150, 333, 1_000, 4_100]
        if chance(5) { return Size(width: 20_000, height: pick([7, 40, 16_400])) }
        if chance(20) { return Size(width: pick(1...120), height: pick(1...120)) }
        return Size(width: pick(sides), height: pick(sides))
    }

    private mutating func chance(_ percent: Int) -> Bool { pick(0..<100) < percent }

    private mutating func pick<Choices: Collection>(_ choices: Choices) -> Choices.Element {
        let offset = Int.random(in: 0..<choices.count, using: &random)
        return choices[choices.index(choices.startIndex, offsetBy: offset)]
    }
}
