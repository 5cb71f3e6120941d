import GearboxClient
import GearboxDatabase
import GearboxIndex
import GearboxURL
import TestSupport
import Testing

@Suite("A published index")
struct RelationIndexTests {
    private let scratch: Scratch
    private let path: String

    init() throws {
        scratch = try Scratch()
        path = scratch.path + "/index.sqlite"
        let database = try Database(path: path, access: .readWrite)
        try IndexSchema.create(in: database)
        try Self.meta.write(to: database)
        try database.execute(
            """
            INSERT INTO origin (id, name, dialect, drop_parameters)
                VALUES (1, 'pictures', 'nos', 'utm_* ref');
            INSERT INTO origin (id, name) VALUES (2, 'other.example');
            INSERT INTO host (name, origin_id) VALUES ('a.example', 1), ('b.example', 1),
                ('other.example', 2);
            INSERT INTO source (id, origin_id, path, version, width, height, format)
                VALUES (1, 1, '/p.jpg', 'v', 1000, 500, 'jpg');
            INSERT INTO variant (id, origin_id, source_id, key, mode, box_width, box_height, quality,
                format, width, height, bytes, file)
            VALUES (1, 1, 1, '/p.jpg?imageView=1&quality=90&thumbnail=200x200', 'x', 200, 200, 90,
                    'jpg', 200, 100, 9, 'store/aa/aa.jpg'),
                   (2, 2, NULL, '/w.jpg?watermark&x=1', '', 0, 0, 100, 'png', 10, 10, 9,
                    'store/bb/bb.png');
            INSERT INTO alias (origin_id, key, variant_id) VALUES (1, '/old/p.jpg', 1);
            """
        )
    }

    private static let meta = IndexMeta(
        rules: CanonicalRules(
            sizes: SizeLadder(gears: [100, 200], overflow: .clamp),
            qualities: QualityLadder(gears: [90, 100], defaultQuality: 80),
            origins: [
                OriginRules(
                    name: "pictures",
                    hosts: ["a.example", "b.example"],
                    drop: ["utm_*", "ref"]
                )
            ]
        ),
        steps: "",
        generation: 7,
        builtAt: "2026-01-01T00:00:00Z",
        version: "0"
    )

    @Test("says how to canonicalise as its run did")
    func meta() throws {
        #expect(try IndexReader(path: path).meta == Self.meta)
        #expect(try RelationIndex(path: path).generation == 7)
    }

    @Test("answers every spelling of a URL, on every host of its origin")
    func exact() throws {
        let index = try RelationIndex(path: path)
        for url in [
            "http://a.example/p.jpg?param=150x150", "https://B.example:443/p.jpg?thumbnail=200x9",
            "http://b.example/p.jpg?utm_source=x&ref=y&thumbnail=200x200&quality=81",
        ] {
            let answer = try index.resolve(url)
            // 200x9 has another box, which the wider file serves.
            #expect(answer.result == (url.contains("200x9") ? .reuse : .exact), "\(url)")
            #expect(answer.file == "store/aa/aa.jpg")
        }
        #expect(try index.resolve("http://other.example/p.jpg?param=150x150").result == .miss)
        #expect(try index.resolve("http://new.example/p.jpg").result == .miss)
    }

    @Test("answers by reuse with the recipe, by alias, and only in formats that are taken")
    func others() throws {
        let index = try RelationIndex(path: path)
        let reuse = try index.resolve("http://a.example/p.jpg?param=100y100")
        #expect(reuse.result == .reuse)
        #expect(reuse.size.map { [$0.width, $0.height] } == [100, 100])
        #expect(reuse.transform?.scale == nil)
        #expect(
            reuse.transform?.crop.map { [$0.x, $0.y, $0.width, $0.height] } == [50, 0, 100, 100]
        )
        #expect(try index.resolve("http://a.example/old/p.jpg").result == .alias)
        #expect(try index.resolve("http://a.example/old/p.jpg", accept: ["webp"]).result == .miss)
        #expect(try index.resolve("http://other.example/w.jpg?watermark&x=1").result == .exact)
    }

    @Test("takes formats in any case, and all of them where none is named")
    func accepted() throws {
        let url = "http://a.example/old/p.jpg"
        let index = try RelationIndex(path: path)
        let format = try #require(try index.resolve(url).format)
        let other = format == "png" ? "webp" : "png"
        let spellings = [format, format.uppercased(), " \(format) "]
        for spelling in spellings + (format == "jpg" ? ["jpeg", "JPEG"] : []) {
            #expect(try index.resolve(url, accept: [spelling, other]).result == .alias)
        }
        for none: Set<String> in [[], [""], [" "]] {
            #expect(try index.resolve(url, accept: none).result == .alias)
        }
        #expect(try index.resolve(url, accept: [other.uppercased()]).result == .miss)
    }

    @Test("opens no pipe, which would be waited for")
    func pipe() throws {
        let path = scratch.file("pipe")
        _ = try Program.run("/usr/bin/mkfifo", [path])
        let error = #expect(throws: RelationIndexError.self) { try RelationIndex(path: path) }
        #expect(error?.code == .unreadable)
        #expect(error?.message.contains("it is no file") == true)
    }

    @Test("says what is wrong with a URL without repeating its secrets")
    func badURL() throws {
        let index = try RelationIndex(path: path)
        let error = #expect(throws: RelationIndexError.self) {
            try index.resolve("http://user:secret@a.example/p.jpg")
        }
        #expect(error?.code == .badURL)
        #expect(error?.message.contains("secret") == false)
    }

    @Test(
        "is refused where it is another program's, of another version, or damaged",
        arguments: [
            ("PRAGMA application_id = 1", .notAnIndex),
            ("PRAGMA user_version = 2", .wrongVersion),
            ("UPDATE meta SET value = '' WHERE name = 'sizes'", .unreadable),
            ("UPDATE meta SET value = '0,200' WHERE name = 'sizes'", .unreadable),
            ("UPDATE meta SET value = '50,200' WHERE name = 'qualities'", .unreadable),
        ] as [(String, RelationIndexError.Code)]
    )
    func refused(change: String, code: RelationIndexError.Code) throws {
        try Database(path: path, access: .readWrite).execute(change)
        let error = #expect(throws: RelationIndexError.self) { try RelationIndex(path: path) }
        #expect(error?.code == code)
        #expect(error?.subject == path)
    }

    @Test("goes on answering from what was there when its file is replaced")
    func replaced() throws {
        let index = try RelationIndex(path: path, lookEvery: nil)
        let other = scratch.path + "/other.sqlite"
        let database = try Database(path: other, access: .readWrite)
        try IndexSchema.create(in: database)
        try Self.meta.write(to: database)
        _ = try Program.run("/bin/mv", [other, path])
        #expect(try index.resolve("http://a.example/p.jpg?param=150x150").result == .exact)
        #expect(
            try RelationIndex(path: path).resolve("http://a.example/p.jpg?param=150x150").result
                == .miss
        )
    }
}
