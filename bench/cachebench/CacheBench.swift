import Foundation
import GearboxClient
import GearboxDatabase
import GearboxIndex
import GearboxURL

/// Measures the hit rates of `PictureCache` against a plain LRU of the same cost, on seeded traces,
/// and what an operation takes.
///
///     cachebench
@main
enum CacheBench {
    /// What the caches hold: of pictures that cost 100 on average, 200.
    static let cost = 20_000

    static func main() throws {
        let requests = try Requests()
        print("hit rates, room for 200 pictures".padded(to: 50) + " plain LRU   gearbox no ghosts")
        for looks in [2, 1] {
            for scan in [50, 100, 200, 400, 1_000] {
                let times = looks == 1 ? "once" : "twice"
                try report(
                    "100 seen \(times) a visit, \(scan) new ones between",
                    Trace.bursts(workingSet: 100, looks: looks, scan: scan, visits: 100),
                    requests,
                    // Of such a burst LRU keeps nothing; what is seen but once is hard to tell.
                    goal: looks == 2 && scan >= 200 ? 1.8 : nil
                )
            }
        }
        try report(
            "another 100 every ten visits, 200 new ones between",
            Trace.bursts(workingSet: 100, looks: 2, scan: 200, visits: 100, lasting: 10),
            requests
        )
        try report("pictures by their popularity alone", Trace.popularity(100_000), requests)
        // Made for LRU: what was seen last is seen next, and then never again.
        try report("leafing on, and a little back", Trace.leafing(100_000, back: 60), requests)
        try report("leafing on, and far back", Trace.leafing(100_000, back: 400), requests)
        try reportTimes(requests)
    }

    private static func report(
        _ name: String,
        _ trace: [Int],
        _ requests: Requests,
        goal: Double? = nil
    ) throws {
        let plain = PlainLRU(cost: cost)
        let ours = PictureCache<Int>(costLimit: cost)
        let forgetful = PictureCache<Int>(
            limits: CacheLimits(cost: cost, newcomersShare: 0.25, ghosts: 0)
        )
        var hits = (plain: 0, ours: 0, forgetful: 0)
        for picture in trace {
            let request = try requests[picture]
            let cost = Trace.cost(of: picture)
            if plain.use(picture, cost: cost) { hits.plain += 1 }
            if use(ours, request, picture, cost) { hits.ours += 1 }
            if use(forgetful, request, picture, cost) { hits.forgetful += 1 }
        }
        func share(_ hits: Int) -> String {
            String(format: "%8.1f %%", 100 * Double(hits) / Double(trace.count))
        }
        var line = name.padded(to: 50) + share(hits.plain) + share(hits.ours)
        line += share(hits.forgetful)
        if let goal {
            line += String(
                format: "   %.2f times plain, goal %.1f",
                Double(hits.ours) / Double(hits.plain),
                goal
            )
        }
        print(line)
    }

    private static func use(
        _ cache: PictureCache<Int>,
        _ request: PictureRequest,
        _ picture: Int,
        _ cost: Int
    ) -> Bool {
        if cache.picture(for: request) != nil { return true }
        let size = PixelSize(width: 1, height: 1)
        cache.insert(DecodedPicture(picture, size: size, cost: cost), for: request)
        return false
    }

    /// The time of a look that hits and of an insert that lets another picture leave.
    private static func reportTimes(_ requests: Requests) throws {
        for count in [1_000, 100_000] {
            let cache = PictureCache<Int>(costLimit: count)
            let pictures = try (0..<2 * count).map { try requests[$0] }
            func nanoseconds(_ some: ArraySlice<PictureRequest>, _ body: (PictureRequest) -> Void)
                -> Double
            {
                let rounds = max(1, 100_000 / some.count)
                let start = clock()
                for _ in 0..<rounds { for request in some { body(request) } }
                let seconds = Double(clock() - start) / Double(CLOCKS_PER_SEC)
                return 1e9 * seconds / Double(rounds * some.count)
            }
            let one = DecodedPicture(1, size: PixelSize(width: 1, height: 1), cost: 1)
            for picture in pictures[..<count] { cache.insert(one, for: picture) }
            let looks = nanoseconds(pictures[..<count]) { _ = cache.picture(for: $0) }
            let inserts = nanoseconds(pictures[count...]) { cache.insert(one, for: $0) }
            print(
                String(
                    format: "holding %6d pictures: %5.0f ns of CPU time a hit, %5.0f an insert",
                    count,
                    looks,
                    inserts
                )
            )
        }
    }
}

/// Requests for pictures by number, each understood once.
final class Requests {
    private let index: RelationIndex
    private var known: [Int: PictureRequest] = [:]

    init() throws {
        let path = NSTemporaryDirectory() + "/cachebench-\(getpid()).sqlite"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let database = try Database(path: path, access: .readWrite)
        try IndexSchema.create(in: database)
        try IndexMeta(
            rules: CanonicalRules(),
            steps: "",
            generation: 1,
            builtAt: "",
            version: "0"
        ).write(to: database)
        index = try RelationIndex(path: path, connections: 1, lookEvery: nil)
    }

    subscript(picture: Int) -> PictureRequest {
        get throws {
            if let request = known[picture] { return request }
            let url = "https://pictures.example/albums/2024/\(picture).jpg?param=200y200"
            let request = try index.request(for: url)
            known[picture] = request
            return request
        }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        padding(toLength: width, withPad: " ", startingAt: 0)
    }
}
