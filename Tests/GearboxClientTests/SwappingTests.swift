import GearboxClient
import TestSupport
import Testing

@Suite("An index that is replaced")
struct SwappingTests {
    private let scratch: Scratch
    private let path: String
    private static let url = "http://h/p.jpg?param=180x180"

    init() throws {
        scratch = try Scratch()
        path = scratch.file("index.sqlite")
        try Self.sample(1).write(to: path)
    }

    /// An index whose only file is named by its generation.
    private static func sample(_ generation: Int) -> SampleIndex {
        var index = SampleIndex()
        index.generation = generation
        index.sources = [.init(path: "/p.jpg")]
        index.variants = [
            .init(
                key: "/p.jpg?imageView=1&quality=89&thumbnail=180x180",
                source: "/p.jpg",
                mode: "x",
                width: 180,
                height: 90,
                file: "store/\(generation).jpg"
            )
        ]
        return index
    }

    @Test("is taken over when it is asked to, and only then without a look at the path")
    func refresh() throws {
        let index = try RelationIndex(path: path, lookEvery: nil)
        #expect(try !index.refresh())
        try Self.sample(2).write(to: path)
        #expect(try index.resolve(Self.url).file == "store/1.jpg")
        #expect(try index.refresh())
        #expect(index.generation == 2)
        #expect(try index.resolve(Self.url).file == "store/2.jpg")
        #expect(try !index.refresh())
    }

    @Test("is taken over by itself when it is time to look")
    func byItself() throws {
        let eager = try RelationIndex(path: path, lookEvery: .zero)
        let slow = try RelationIndex(path: path, lookEvery: .seconds(3_600))
        try Self.sample(2).write(to: path)
        #expect(try eager.resolve(Self.url).file == "store/2.jpg")
        #expect(try eager.request(for: Self.url).key.hasPrefix("/p.jpg"))
        #expect(try slow.resolve(Self.url).file == "store/1.jpg")
    }

    @Test("stays where the new file is no index, or is gone, and says why")
    func broken() throws {
        let index = try RelationIndex(path: path, lookEvery: .zero)
        try scratch.write("no index, but long enough to be one", to: "broken")
        _ = try Program.run("/bin/mv", [scratch.file("broken"), path])
        #expect(try index.resolve(Self.url).file == "store/1.jpg")
        let damaged = #expect(throws: RelationIndexError.self) { try index.refresh() }
        #expect(damaged?.code == .unreadable)
        _ = try Program.run("/bin/rm", [path])
        #expect(try index.resolve(Self.url).file == "store/1.jpg")
        let gone = #expect(throws: RelationIndexError.self) { try index.refresh() }
        #expect(gone?.code == .unreadable)
        #expect(gone?.subject == path)
        try Self.sample(3).write(to: path)
        #expect(try index.resolve(Self.url).file == "store/3.jpg")
    }

    @Test("may lie at another path, with its files in another folder")
    func elsewhere() throws {
        let index = try RelationIndex(path: path, folder: "/bundle")
        #expect(try index.resolve(Self.url).path == "/bundle/store/1.jpg")
        let other = scratch.file("downloaded")
        try Self.sample(9).write(to: other)
        try index.swap(to: other)
        #expect(index.path == other)
        #expect(try index.resolve(Self.url).path == "\(scratch.path)/store/9.jpg")
        let error = #expect(throws: RelationIndexError.self) {
            try index.swap(to: scratch.file("nothing"))
        }
        #expect(error?.code == .unreadable)
        #expect(index.generation == 9)
    }

    @Test("answers many tasks without an error while generations follow each other")
    func manyTasks() async throws {
        let index = try RelationIndex(path: path, connections: 3, lookEvery: .zero)
        let path = path
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var last = 1
                    // Until the last generation is seen: never an older one after a newer one.
                    while last < 16 {
                        let file = try index.resolve(Self.url).file ?? ""
                        let generation = Int(file.dropFirst(6).dropLast(4)) ?? 0
                        #expect(generation >= last)
                        last = max(last, generation)
                        await Task.yield()
                    }
                    return last
                }
            }
            for generation in 2...16 { try Self.sample(generation).write(to: path) }
            for try await last in group { #expect(last == 16) }
        }
    }
}
