import GearboxClient
import Synchronization
import Testing

@Suite("Loading through a cache")
struct CacheLoadingTests {
    private let scene: CacheScene
    private let request: PictureRequest
    private let cache = PictureCache<String>(costLimit: 10)
    private let gate = Gate()

    init() throws {
        scene = try CacheScene(sources: [.init(path: "/p.jpg")])
        request = try scene.request("p.jpg?param=200x200")
    }

    private struct Refusal: Error {}

    /// A picture of the request.
    private static func picture(_ text: String) -> DecodedPicture<String> {
        DecodedPicture(text, size: PixelSize(width: 256, height: 128), cost: 1)
    }

    /// Begins to ask for the picture; the load waits for the gate.
    private func ask(_ text: String = "picture") -> Task<String, any Error> {
        Task { [cache, request, gate] in
            try await cache.picture(for: request) {
                try await gate.wait()
                return Self.picture(text)
            }.picture
        }
    }

    private func waitUntil(_ condition: () -> Bool) async throws {
        while !condition() { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test("is done once for all who ask at the same time, and never again")
    func merged() async throws {
        let asked = (0..<50).map { ask("\($0)") }
        try await waitUntil { cache.statistics.merges == 49 }
        gate.open()
        var pictures: Set<String> = []
        for task in asked { pictures.insert(try await task.value) }
        #expect(pictures.count == 1)
        #expect(cache.statistics.loads == 1)
        #expect(try await ask("another").value == pictures.first)
        #expect(cache.statistics.loads == 1)
        // A smaller one of the same source needs no load either.
        let small = try await cache.picture(for: scene.request("p.jpg?param=90x90")) {
            throw Refusal()
        }
        #expect(small.isReuse && small.size.width == 90)
    }

    @Test("goes on for the others when one who waits is cancelled")
    func cancelledWaiter() async throws {
        let first = ask()
        try await waitUntil { cache.statistics.loads == 1 }
        let second = ask()
        try await waitUntil { cache.statistics.merges == 1 }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        gate.open()
        #expect(try await second.value == "picture")
        #expect(cache.statistics.loads == 1)
    }

    @Test("is cancelled when nobody waits any more, and begun again by the next")
    func abandoned() async throws {
        let asked = [ask(), ask()]
        try await waitUntil { cache.statistics.merges == 1 }
        for task in asked { task.cancel() }
        for task in asked {
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        try await waitUntil { gate.cancellations == 1 }
        gate.open()
        #expect(!cache.holds(request))
        #expect(try await ask("again").value == "again")
        #expect(cache.statistics.loads == 2)
    }

    @Test("of a task that is cancelled already is not begun, or not kept waiting for")
    func cancelledBefore() async throws {
        for _ in 0..<200 {
            let task = ask()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(!cache.holds(request))
    }

    @Test("that fails does so for all who wait, and is tried again by the next")
    func failing() async throws {
        let asked = (0..<2).map { _ in
            Task { [cache, request, gate] in
                try await cache.picture(for: request) {
                    try await gate.wait()
                    throw Refusal()
                }
            }
        }
        try await waitUntil { cache.statistics.merges == 1 }
        gate.open()
        for task in asked {
            await #expect(throws: Refusal.self) { _ = try await task.value }
        }
        #expect(cache.statistics.failures == 1)
        #expect(try await ask().value == "picture")
    }

    @Test("is not kept where its source was removed meanwhile")
    func removed() async throws {
        let task = ask()
        try await waitUntil { cache.statistics.loads == 1 }
        cache.removeAll(ofSourceOf: request)
        gate.open()
        #expect(try await task.value == "picture")
        #expect(!cache.holds(request))
    }

    @Test("of many pictures by many tasks gives each its own")
    func storm() async throws {
        let requests = try (0..<20).map { try scene.request("\($0).jpg?param=90x90") }
        let cache = PictureCache<String>(costLimit: 7)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for round in 0..<300 {
                        let request = requests[(task * 7 + round * 3) % requests.count]
                        let hit = try await cache.picture(for: request) {
                            await Task.yield()
                            return DecodedPicture(
                                request.key,
                                size: PixelSize(width: 1, height: 1),
                                cost: 1
                            )
                        }
                        #expect(hit.picture == request.key)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(cache.statistics.cost <= 7)
    }
}

/// Holds loads back until it is opened.
private final class Gate: Sendable {
    private let state = Mutex((isOpen: false, cancellations: 0))

    var cancellations: Int { state.withLock { $0.cancellations } }

    func wait() async throws {
        while !state.withLock({ $0.isOpen }) {
            do { try await Task.sleep(for: .milliseconds(1)) } catch {
                state.withLock { $0.cancellations += 1 }
                throw error
            }
        }
    }

    func open() { state.withLock { $0.isOpen = true } }
}
