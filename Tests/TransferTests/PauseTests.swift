import Foundation
import LoopbackServers
import Testing
import Transfer

@Suite("Hosts that want to be left alone")
struct PauseTests {
    /// Asks for the paths at once.
    private func get(
        _ urls: [String],
        by client: TransferClient
    ) async -> [(status: Int?, error: TransferError?)] {
        await withTaskGroup(of: (Int?, TransferError?).self) { group in
            for url in urls {
                group.addTask {
                    switch await client.get(url) {
                    case .success(let response): return (response.head.status, nil)
                    case .failure(let error): return (nil, error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append(($1.0, $1.1)) }
        }
    }

    @Test("429 pauses all of the host's transfers, and none of another host's")
    func busy() async throws {
        let good = Step.body([1]).with { $0.delay = 0.02 }
        let server = try await ScriptedServer.start([
            "/a": [good, good, .status(429, "", [("Retry-After", "1")]), good], "/b": [good],
        ])
        var configuration = TransferConfiguration.loopback
        configuration.transfersPerHost = 4
        let client = TransferClient(configuration)
        let paused = (0..<50).map { _ in server.url("/a") }
        let others = (0..<50).map { _ in server.url("/b", host: "localhost") }
        let results = await get(paused + others, by: client)
        #expect(results.filter { $0.status == 200 }.count == 99)
        #expect(results.filter { $0.status == 429 }.count == 1)

        let times = try await server.requests("/a").map(\.time)
        let pause = times[2] + 0.9
        // Those that were in flight beside it, and then nobody for a second.
        #expect(times.filter { $0 < pause }.count <= 3 + 3)
        #expect(try await server.requests("/b").allSatisfy { $0.time < pause })
        client.shutDown()
    }

    @Test("A host that asks for a day is asked nothing more; who waits for it learns so at once")
    func day() async throws {
        let server = try await ScriptedServer.start([
            "/a": [.status(503, "", [("Retry-After", "86400")])]
        ])
        let client = TransferClient(.loopback)
        let results = await get((0..<50).map { _ in server.url("/a") }, by: client)
        let left = results.compactMap(\.error)
        #expect(left.count >= 40)
        #expect(left.allSatisfy { $0.code == .hostLeftAlone && $0.isTransient })
        #expect(left.first?.message.contains("until the next run") == true)
        #expect(try await server.requests("/a").count == 50 - left.count)
        #expect(await client.get(server.url("/a")).error?.code == .hostLeftAlone)
        client.shutDown()
    }

    @Test("A dead host costs a few pauses, however much is wanted from it")
    func dead() async throws {
        let server = try await ScriptedServer.start(["/a": [.body([1])]])
        var configuration = TransferConfiguration.loopback
        configuration.firstPause = .milliseconds(50)
        configuration.longestPause = .milliseconds(500)
        let client = TransferClient(configuration)
        let dead = (0..<500).map { "http://127.0.0.1:1/\($0)" }
        let alive = (0..<50).map { _ in server.url("/a", host: "localhost") }
        let results = await get(dead + alive, by: client)
        #expect(results.filter { $0.status == 200 }.count == 50)
        let errors = results.compactMap(\.error)
        #expect(errors.count == 500 && errors.allSatisfy { $0.isTransient && $0.hostDidNotAnswer })
        #expect(errors.filter { $0.code == .couldNotConnect }.count < 30)
        let left = errors.filter { $0.code == .hostLeftAlone }
        #expect(!left.isEmpty)
        let trouble = "127.0.0.1:1 does not answer: no connection: "
        #expect(left.allSatisfy { $0.message.hasPrefix(trouble) })
        client.shutDown()
    }

    @Test("A host that comes back after its failures is asked as before")
    func recovery() async throws {
        let bad = Step.status(503)
        let server = try await ScriptedServer.start([
            "/a": [bad, bad, bad, bad, .body([1]).with { $0.delay = 0.1 }]
        ])
        var configuration = TransferConfiguration.loopback
        configuration.firstPause = .milliseconds(100)
        configuration.transfersPerHost = 3
        let client = TransferClient(configuration)
        let results = await get((0..<20).map { _ in server.url("/a") }, by: client)
        #expect(results.filter { $0.status == 503 }.count == 4)
        #expect(results.filter { $0.status == 200 }.count == 16)
        #expect(try await server.log().peak == 3)
        client.shutDown()
    }

    @Test("Many names that are not resolved, or not in time, are transient failures")
    func names() async throws {
        var configuration = TransferConfiguration.loopback
        configuration.connectTimeout = .milliseconds(500)
        let client = TransferClient(configuration)
        let results = await get((0..<40).map { "http://host-\($0).invalid/" }, by: client)
        let errors = results.compactMap(\.error)
        #expect(errors.count == 40)
        #expect(errors.allSatisfy { [.couldNotResolve, .timedOut].contains($0.code) })
        #expect(errors.allSatisfy { $0.isTransient && $0.hostDidNotAnswer })
        client.shutDown()
    }

    @Test("Another port of a name is another server, in its pauses and its share of transfers")
    func ports() async throws {
        let servers = [
            try await ScriptedServer.start([
                "/a": [.status(503, "", [("Retry-After", "86400")])]
            ]),
            try await ScriptedServer.start(["/a": [.body([1]).with { $0.delay = 0.1 }]]),
        ]
        var configuration = TransferConfiguration.loopback
        configuration.transfersPerHost = 2
        let client = TransferClient(configuration)
        let results = await get(
            (0..<20).map { servers[$0 % 2].url("/a") },
            by: client
        )
        #expect(results.filter { $0.status == 200 }.count == 10)
        let left = results.compactMap(\.error)
        #expect(left.contains { $0.code == .hostLeftAlone })
        #expect(left.allSatisfy { $0.message.hasPrefix("127.0.0.1:\(servers[0].port) is busy") })
        #expect(try await servers[1].log().peak == 2)
        client.shutDown()
    }

    @Test(
        "Who knows another host does not wait for one that does not answer; one looks again",
        .timeLimit(.minutes(9))
    )
    func alternatives() async throws {
        var configuration = TransferConfiguration.loopback
        // Whoever waited would wait beyond the test's limit.
        configuration.firstPause = .seconds(3_600)
        configuration.longestPause = .seconds(7_200)
        let client = TransferClient(configuration)
        let errors = await withTaskGroup(of: TransferError?.self) { group in
            for index in 0..<200 {
                group.addTask {
                    let request = TransferRequest(
                        url: "http://127.0.0.1:1/\(index)",
                        maximumBytes: 10,
                        hasAlternative: true
                    )
                    return await client.get(request).error
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(errors.allSatisfy { $0?.hostDidNotAnswer == true })
        #expect(errors.count { $0?.code == .hostLeftAlone } > 150)
        client.shutDown()
    }

    @Test("A host whose certificate is wrong is left alone for that reason")
    func untrusted() async throws {
        let server = try await BrokenHTTP2Server.start(mode: "refused-once")
        var configuration = TransferConfiguration.loopback
        configuration.transfersPerHost = 2
        let client = TransferClient(configuration)
        let errors = await get((0..<60).map { server.url("/\($0)") }, by: client).compactMap(
            \.error
        )
        #expect(errors.count == 60)
        #expect(errors.count { $0.code == .tls } < 10)
        let left = errors.filter { $0.code == .hostLeftAlone }
        #expect(left.count > 50)
        #expect(left.allSatisfy { $0.message.contains("is not trusted: TLS: ") })
        client.shutDown()
    }
}
