import Foundation
import LoopbackServers
import Testing
import Transfer

@Suite("Many transfers at once")
struct ConcurrencyTests {
    @Test("The limit of a host bounds its transfers in flight; time in the queue does not count")
    func perHost() async throws {
        let server = try await ScriptedServer.start(["/a": [.body([1]).with { $0.delay = 0.15 }]])
        var configuration = TransferConfiguration.loopback
        configuration.transfersPerHost = 3
        configuration.timeout = .seconds(1)
        let client = TransferClient(configuration)
        let start = ContinuousClock.now
        let failures = await withTaskGroup(of: TransferError?.self) { group in
            for _ in 0..<30 { group.addTask { await client.get(server.url("/a")).error } }
            return await group.reduce(into: [TransferError]()) {
                if let error = $1 { $0.append(error) }
            }
        }
        // Ten rounds of 0.15 s are longer than the timeout of one transfer.
        #expect(start.duration(to: .now) > .seconds(1.4))
        #expect(failures.isEmpty)
        #expect(try await server.log().peak == 3)
        client.shutDown()
    }

    @Test("The limit of all bounds several hosts together")
    func total() async throws {
        let server = try await ScriptedServer.start(["/a": [.body([1]).with { $0.delay = 0.05 }]])
        var configuration = TransferConfiguration.loopback
        configuration.transfers = 4
        configuration.transfersPerHost = 3
        let client = TransferClient(configuration)
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<24 {
                group.addTask {
                    let host = index.isMultiple(of: 2) ? "127.0.0.1" : "localhost"
                    _ = await client.get(server.url("/a", host: host))
                }
            }
        }
        #expect(try await server.log().peak == 4)
        client.shutDown()
    }

    @Test("A task that is cancelled breaks its transfer off, in flight or in the queue")
    func cancel() async throws {
        let server = try await ScriptedServer.start([
            "/slow": [.body([1, 2, 3]).with { $0.delay = 600 }], "/a": [.body([1])],
        ])
        var configuration = TransferConfiguration.loopback
        configuration.transfersPerHost = 1
        // Longer than the busiest machine keeps a task waiting.
        configuration.timeout = .seconds(600)
        configuration.slowWindow = .seconds(600)
        let client = TransferClient(configuration)
        let inFlight = Task { await client.get(server.url("/slow")).error?.code }
        try await Task.sleep(for: .milliseconds(200))
        let queued = Task { await client.get(server.url("/slow")).error?.code }
        let late = Task { await client.get(server.url("/a")).error?.code }
        try await Task.sleep(for: .milliseconds(50))
        queued.cancel()
        #expect(await queued.value == .cancelled)
        inFlight.cancel()
        #expect(await inFlight.value == .cancelled)
        #expect(await late.value == nil)
        let before = Task {
            try? await Task.sleep(for: .seconds(60))
            return await client.get(server.url("/a")).error?.code
        }
        before.cancel()
        #expect(await before.value == .cancelled)
        client.shutDown()
    }

    @Test("Shutting down breaks everything off, and what comes later")
    func shutDown() async throws {
        let server = try await ScriptedServer.start(["/slow": [.body([1]).with { $0.delay = 30 }]])
        let client = TransferClient(.loopback)
        let tasks = (0..<20).map { _ in Task { await client.get(server.url("/slow")).error?.code } }
        try await Task.sleep(for: .milliseconds(100))
        client.shutDown()
        for task in tasks { #expect(await task.value == .cancelled) }
        #expect(await client.get(server.url("/slow")).error?.code == .cancelled)
    }

    @Test("A drip is too slow, a hanging host times out, and others do not wait for them")
    func slow() async throws {
        let server = try await ScriptedServer.start([
            "/drip": [
                .body(Array(repeating: 1, count: 1000)).with {
                    $0.piece = 1
                    $0.pause = 0.1
                }
            ],
            "/hang": [.body([1]).with { $0.delay = 30 }], "/a": [.body([1])],
        ])
        var configuration = TransferConfiguration.loopback
        configuration.slowWindow = .seconds(1)
        configuration.timeout = .seconds(4)
        let client = TransferClient(configuration)
        let ended = await withTaskGroup(of: (String, TransferError.Code?).self) { group in
            for path in ["/drip", "/hang", "/a"] {
                group.addTask { (path, await client.get(server.url(path)).error?.code) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(ended.first?.0 == "/a" && ended.first?.1 == nil)
        #expect(ended.dropFirst().allSatisfy { $0.1 == .tooSlow })

        configuration.minimumBytesPerSecond = 1
        configuration.timeout = .milliseconds(700)
        let patient = TransferClient(configuration)
        let late = await patient.get(server.url("/drip")).error
        #expect(late?.code == .timedOut)
        #expect(late?.message.contains("not complete within 0.7 seconds") == true)
        client.shutDown()
        patient.shutDown()
    }

    @Test("The time of redirects counts as the transfer's")
    func redirectTime() async throws {
        let server = try await ScriptedServer.start([
            "/a": [.redirect(to: "/b").with { $0.delay = 0.4 }],
            "/b": [.redirect(to: "/c").with { $0.delay = 0.4 }],
            "/c": [.body([1]).with { $0.delay = 0.4 }],
        ])
        var configuration = TransferConfiguration.loopback
        configuration.timeout = .seconds(1)
        let client = TransferClient(configuration)
        #expect(await client.get(server.url("/a")).error?.code == .timedOut)
        client.shutDown()
    }

    @Test("The budget of bytes holds over many small bodies and a large one")
    func bytesPerSecond() async throws {
        let server = try await ScriptedServer.start([
            "/small": [.body(Array(repeating: 1, count: 20_000))],
            "/large": [.body(Array(repeating: 1, count: 400_000))],
        ])
        var configuration = TransferConfiguration.loopback
        configuration.bytesPerSecond = 500_000
        let client = TransferClient(configuration)
        let start = ContinuousClock.now
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<30 {
                group.addTask { _ = await client.get(server.url("/small")) }
            }
        }
        #expect(await client.get(server.url("/large")).error == nil)
        #expect(await client.get(server.url("/small")).error == nil)
        // A megabyte before the last could start.
        #expect(start.duration(to: .now) > .milliseconds(1850))
        client.shutDown()
    }

    @Test("The budget of bytes holds for a few bodies from the first byte on")
    func lowBudget() async throws {
        let server = try await ScriptedServer.start([
            "/a": [.body(Array(repeating: 1, count: 300_000))]
        ])
        var configuration = TransferConfiguration.loopback
        configuration.bytesPerSecond = 200_000
        let client = TransferClient(configuration)
        let start = ContinuousClock.now
        async let other = client.get(server.url("/a"))
        #expect(await client.get(server.url("/a")).error == nil)
        #expect(await other.error == nil)
        // Three seconds, but for what is saved up and the last pieces.
        #expect(start.duration(to: .now) > .milliseconds(1850))
        client.shutDown()
    }
}
