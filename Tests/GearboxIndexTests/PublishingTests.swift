import Foundation
import GearboxDatabase
import GearboxIndex
import Synchronization
import TestSupport
import Testing

@Suite("Publishing while others read")
struct PublishingTests {
    private static let pictures = [
        "/covers/2024/album-02.jpg", "/avatars/tiny-24.jpg", "/avatars/user-01.jpg",
        "/banners/banner-01.jpg", "/alpha/disc.png",
    ]
    private static let urls = pictures.map { "http://a.example\($0)?thumbnail=30x30" }

    /// What eight readers saw.
    private struct Seen: Sendable {
        var faults: [String] = []
        /// Answers by generation.
        var answers: [Int: Int] = [:]
        var longest = Duration.zero
    }

    @Test("gives every reader whole indexes, each the answers of its generation, and blocks none")
    func readers() throws {
        let scratch = try Scratch()
        try scratch.write(
            """
            { name: "growing", manifests: ["manifest.txt"], cache: "cache",
              origins: [{ name: "o", hosts: ["a.example"],
                          sources: [{ mirror: "\(Program.root)/fixtures/origin" }] }],
              variants: { modes: ["x"] } }
            """,
            to: "pipeline.json5"
        )
        try publish(1, in: scratch)
        let seen = Mutex(Seen())
        let isOver = Mutex(false)
        let path = scratch.file("cache/index.sqlite")
        let group = DispatchGroup()
        for number in 0..<8 {
            group.enter()
            Thread.detachNewThread {
                while !isOver.withLock({ $0 }) {
                    let round =
                        number < 6 ? Self.readInProcess(path) : Self.readByQuery(path, number)
                    seen.withLock { seen in
                        seen.faults += round.faults
                        seen.longest = max(seen.longest, round.longest)
                        seen.answers.merge(round.answers, uniquingKeysWith: +)
                    }
                }
                group.leave()
            }
        }
        do {
            defer {
                isOver.withLock { $0 = true }
                group.wait()
            }
            for generation in 2...Self.urls.count { try publish(generation, in: scratch) }
        }
        let result = seen.withLock { $0 }
        #expect(result.faults.isEmpty, "\(result.faults.prefix(5))")
        // A lock would be waited for as long as SQLite's five seconds.
        #expect(result.longest < .seconds(4))
        #expect(result.answers.count > Self.urls.count / 2, "\(result.answers)")
        #expect(try IndexReader(path: path).meta.generation == Self.urls.count)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.file("cache"))
                .filter { $0.hasPrefix("index") } == ["index.sqlite"]
        )
    }

    /// Runs the pipeline over the first URLs, so many as the generation's number.
    private func publish(_ generation: Int, in scratch: Scratch) throws {
        let manifest = Self.urls.prefix(generation).joined(separator: "\n") + "\n"
        try scratch.write(manifest, to: "manifest.txt")
        let run = try Program.gearbox("run", "--quiet", scratch.file("pipeline.json5"))
        try #require(run.status == 0, "\(run.errors)")
    }

    /// Opens the index as it is now and asks all of it, several times: it stays what it was.
    private static func readInProcess(_ path: String) -> Seen {
        var seen = Seen()
        do {
            let reader = try IndexReader(path: path)
            let generation = reader.meta.generation
            for _ in 0..<20 {
                for (offset, url) in urls.enumerated() {
                    var answer = Answer.miss
                    seen.longest = max(
                        seen.longest,
                        try ContinuousClock().measure {
                            answer = try reader.answer(to: reader.request(for: url))
                        }
                    )
                    let isExact = if case .exact = answer { true } else { false }
                    if isExact != (offset < generation) || (!isExact && answer != .miss) {
                        seen.faults.append("generation \(generation), \(url): \(answer)")
                    }
                    seen.answers[generation, default: 0] += 1
                }
            }
        } catch {
            seen.faults.append("\(error)")
        }
        return seen
    }

    /// As a client without our code: the query of the index, with locks or without.
    private static func readByQuery(_ path: String, _ number: Int) -> Seen {
        var seen = Seen()
        do {
            let access = number.isMultiple(of: 2) ? Database.Access.readOnly : .immutable
            let database = try Database(path: path, access: access)
            func value(_ name: String) throws -> String {
                let select = "SELECT value FROM meta WHERE name = ?1"
                return try database.first(select, .text(name)) { $0.text(0) } ?? ""
            }
            let generation = Int(try value("generation")) ?? 0
            let query = try database.statement(value("resolve_sql"))
            for (offset, picture) in pictures.enumerated() {
                let key = "\(picture)?imageView=1&quality=89&thumbnail=30x30"
                try query.bind([
                    "o", .text(key), .text(key), .text(picture), "x", 30, 30, 89, nil, 0, 5, 5, 0,
                    nil,
                ])
                seen.longest = max(
                    seen.longest,
                    try ContinuousClock().measure { _ = try query.step() }
                )
                let expected = offset < generation ? "exact" : "miss"
                if query.text(0) != expected {
                    seen.faults.append("generation \(generation), \(key): \(query.text(0))")
                }
                seen.answers[generation, default: 0] += 1
                query.reset()
            }
        } catch {
            seen.faults.append("\(error)")
        }
        return seen
    }
}
