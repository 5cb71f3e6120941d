import GearboxClient
import Testing

@Suite("A larger picture in a cache")
struct CacheReuseTests {
    private let scene: CacheScene
    private let cache = PictureCache<String>(costLimit: 1_000)

    init() throws {
        scene = try CacheScene(sources: [
            .init(path: "/p.jpg", width: 1000, height: 500),
            .init(path: "/a.png", width: 1000, height: 500, alpha: true, format: "png"),
            .init(path: "/g.gif", width: 1000, height: 500, animated: true, format: "gif"),
        ])
    }

    private func hit(_ name: String, fit: Resolution.Fit = .gear) throws -> String? {
        try cache.picture(for: scene.request(name, fit: fit)).map { hit in
            let scale = hit.transform?.scale.map { "\($0.width)x\($0.height)" } ?? "-"
            let crop =
                hit.transform?.crop.map { "\($0.width)x\($0.height)+\($0.x)+\($0.y)" } ?? "-"
            return "\(hit.size.width)x\(hit.size.height) \(scale) \(crop)"
        }
    }

    @Test("answers smaller requests of the same source, with the recipe")
    func smaller() throws {
        try cache.insert(scene.request("p.jpg?param=512x512"))
        #expect(try hit("p.jpg?param=512x512") == "512x256 - -")
        #expect(try hit("p.jpg?param=200x200") == "256x128 256x128 -")
        #expect(try hit("p.jpg?param=200y200") == "256x256 - 256x256+128+0")
        #expect(try hit("p.jpg?param=200x200", fit: .request) == "200x100 200x100 -")
        #expect(try hit("p.jpg?param=720x720") == nil, "it is too small")
        #expect(try hit("p.jpg?param=200x200&quality=95") == nil, "its quality is too low")
        #expect(try hit("a.png?param=200x200") == nil, "it is another source's")
        #expect(cache.statistics.hits == 1)
        #expect(cache.statistics.reuses == 3)
        #expect(cache.statistics.misses == 3)
    }

    @Test("answers nothing with bars cut off, with its alpha gone, or standing still")
    func never() throws {
        try cache.insert(scene.request("p.jpg?param=512y512"))
        #expect(try hit("p.jpg?param=200x200") == nil)
        #expect(try hit("p.jpg?param=200y200") == "256x256 256x256 -")
        #expect(try hit("p.jpg?param=200y200&axis=0_0") == nil)
        try cache.insert(scene.request("a.png?param=512x512&type=jpg"))
        #expect(try hit("a.png?param=200x200&type=webp") == nil)
        #expect(try hit("a.png?param=200x200&type=jpg") == "256x128 256x128 -")
        try cache.insert(scene.request("g.gif?param=512x512"))
        #expect(try hit("g.gif?param=200x200") == nil)
        #expect(try hit("g.gif?param=512x512") == "512x256 - -")
    }

    @Test("that was fitted before gears answers those that are smaller still")
    func fitted() throws {
        try cache.insert(scene.request("p.jpg?param=200x200", fit: .request))
        #expect(try hit("p.jpg?param=200x200", fit: .request) == "200x100 - -")
        #expect(try hit("p.jpg?param=190x190", fit: .request) == "190x95 190x95 -")
        #expect(try hit("p.jpg?param=210x210", fit: .request) == nil)
        #expect(try hit("p.jpg?param=200x200") == nil, "the gear is 256")
        #expect(try hit("p.jpg?param=180x180") == "180x90 180x90 -")
    }

    @Test("answers its own request alone where it has another size than that")
    func unexpected() throws {
        let request = try scene.request("p.jpg?param=512x512")
        let size = PixelSize(width: 512, height: 512)
        cache.insert(DecodedPicture("as the network had it", size: size, cost: 1), for: request)
        #expect(try hit("p.jpg?param=512x512") == "512x512 - -")
        #expect(try hit("p.jpg?param=200x200") == nil)
    }

    @Test("is not the original where the pipeline processes pictures")
    func steps() throws {
        for steps in ["", "grayscale"] {
            let scene = try CacheScene(sources: [.init(path: "/p.jpg")], steps: steps)
            let cache = PictureCache<String>(costLimit: 10)
            try cache.insert(scene.request("p.jpg"))
            let small = try cache.picture(for: scene.request("p.jpg?param=200x200&quality=100"))
            #expect((small == nil) == (steps != ""))
        }
    }

    @Test("is never that of older bytes of the source, which leave when newer ones come")
    func versions() throws {
        let newer = try CacheScene(sources: [.init(path: "/p.jpg", version: "v2")])
        let old = try scene.request("p.jpg?param=512x512")
        let small = try newer.request("p.jpg?param=200x200")
        cache.insert(old)
        #expect(try cache.picture(for: newer.request("p.jpg?param=512x512")) == nil)
        #expect(cache.picture(for: small) == nil)
        #expect(cache.holds(old))
        cache.insert(small)
        #expect(!cache.holds(old))
        #expect(cache.statistics.count == 1)
    }

    @Test("leaves with all others of its source")
    func removal() throws {
        for name in ["p.jpg?param=512x512", "p.jpg?param=200y200", "a.png?param=90x90"] {
            try cache.insert(scene.request(name))
        }
        try cache.removeAll(ofSourceOf: scene.request("p.jpg"))
        #expect(try hit("p.jpg?param=200y200") == nil)
        #expect(try hit("a.png?param=90x90") != nil)
        #expect(cache.statistics.count == 1)
        #expect(cache.statistics.cost == 1)
    }
}
