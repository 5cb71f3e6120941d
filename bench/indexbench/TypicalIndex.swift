import Foundation
import GearboxDatabase
import GearboxIndex
import GearboxURL

/// An index as a music app's night makes it, the same in every run: each picture in three sizes of
/// each mode.
struct TypicalIndex {
    let variants: Int
    let withAliases: Bool
    let rules = CanonicalRules(origins: [
        OriginRules(name: "music", hosts: (1...4).map { "p\($0).music.126.net" })
    ])

    static let modes = ["x", "y", "z"]
    /// The gears of every picture.
    static let sizes = [90, 256, 720]

    init(variants: Int, withAliases: Bool) throws {
        self.variants = variants
        self.withAliases = withAliases
    }

    var sourceCount: Int { (variants + 8) / 9 }
    /// An alias for each variant of every third source.
    var aliasCount: Int { withAliases ? variants / 27 * 9 : 0 }

    /// The path of a source: 49 bytes.
    static func path(_ source: Int) -> String {
        var random = Mix(state: UInt64(source))
        var path: [UInt8] = [UInt8(ascii: "/")]
        for _ in 0..<24 { path.append(letters[Int(random.next() & 63)]) }
        path += "==/1".utf8
        for _ in 0..<16 { path.append(UInt8(ascii: "0") + UInt8(random.next() % 10)) }
        return String(decoding: path + ".jpg".utf8, as: UTF8.self)
    }

    static func key(_ source: Int, _ mode: String, _ size: Int) -> String {
        "\(path(source))?imageView=1&quality=89&thumbnail=\(size)\(mode)\(size)"
    }

    /// What an old client asks for: no URL of today's means it.
    static func alias(_ source: Int, _ mode: String, _ size: Int) -> String {
        "/old\(path(source))?imageView=1&param=\(size - 20)\(mode)\(size - 20)&quality=89"
    }

    /// Writes the index, and compacts it as publishing does.
    ///
    /// - Returns: the seconds that took.
    func write(to path: String) throws -> Double {
        let start = Date()
        let draft = path + "-draft"
        try? FileManager.default.removeItem(atPath: draft)
        try? FileManager.default.removeItem(atPath: path)
        let database = try Database(path: draft, access: .readWrite)
        try database.execute(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144"
        )
        try database.transaction {
            try IndexSchema.create(in: database)
            try IndexMeta(rules: rules, steps: "", generation: 1, builtAt: "", version: "bench")
                .write(to: database)
            try database.execute(
                "INSERT INTO origin (id, name, dialect) VALUES (1, 'music', 'nos')"
            )
            for host in rules.origins[0].hosts {
                try database.run("INSERT INTO host (name, origin_id) VALUES (?1, 1)", .text(host))
            }
            try fill(database)
        }
        try database.run("VACUUM INTO ?1", .text(path))
        try FileManager.default.removeItem(atPath: draft)
        return Date().timeIntervalSince(start)
    }

    private func fill(_ database: Database) throws {
        var id = 0
        for source in 1...sourceCount {
            try database.run(
                Self.insertSource,
                .integer(source),
                .text(Self.path(source)),
                .text(Self.digest(source << 8))
            )
            for mode in Self.modes {
                for size in Self.sizes where id < variants {
                    id += 1
                    let digest = Self.digest(id << 40)
                    try database.run(
                        Self.insertVariant,
                        .integer(id),
                        .integer(source),
                        .text(Self.key(source, mode, size)),
                        .text(mode),
                        .integer(size),
                        .integer(mode == "z" ? size * 3 / 2 : size),
                        .integer(mode == "x" ? size * 2 / 3 : size),
                        .integer(size * size / 4),
                        .text("store/\(digest.prefix(2))/\(digest).jpg")
                    )
                    guard withAliases, source.isMultiple(of: 3) else { continue }
                    try database.run(
                        "INSERT INTO alias (origin_id, key, variant_id) VALUES (1, ?1, ?2)",
                        .text(Self.alias(source, mode, size)),
                        .integer(id)
                    )
                }
            }
        }
    }

    private static func digest(_ number: Int) -> String {
        var random = Mix(state: UInt64(number))
        return (0..<4).map { _ in
            let hex = String(random.next(), radix: 16)
            return String(repeating: "0", count: 16 - hex.count) + hex
        }.joined()
    }

    private static let letters = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    )

    private static let insertSource = """
        INSERT INTO source (id, origin_id, path, version, width, height, format, bytes)
        VALUES (?1, 1, ?2, ?3, 1200, 800, 'jpg', 300000)
        """
    private static let insertVariant = """
        INSERT INTO variant (id, origin_id, source_id, key, mode, box_width, box_height, quality, format,
            width, height, bytes, file)
        VALUES (?1, 1, ?2, ?3, ?4, ?5, ?5, 89, 'jpg', ?6, ?7, ?8, ?9)
        """
}

/// SplitMix64.
struct Mix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
