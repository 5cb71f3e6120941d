import Digest
import Fetching
import Foundation
import LoopbackServers
import Testing
import Transfer

@Suite("What is tried again")
struct RetryTests {
    let scene: FetchScene

    init() throws { scene = try FetchScene() }

    private static let good = Step.body(Picture.gif())

    @Test(
        "What may pass is tried again, and nothing half stays",
        arguments: [
            Step.status(500), .status(503), .status(429), .status(408), .reset,
            good.with { $0.cutAfter = 50 },
            good.with {
                $0.cutAfter = 50
                $0.chunked = true
            },
            good.with {
                $0.cutAfter = 50
                $0.noLength = true
            },
        ]
    )
    func again(first: Step) async throws {
        let server = try await ScriptedServer.start(["/a.gif": [first, first, Self.good]])
        let fetcher = scene.fetcher()
        let original = try await fetcher.fetch(
            FetchRequest(url: server.url("/a.gif"), path: "/a.gif")
        )
        .fetched()
        if first.noLength == true {
            // A second body of the same length is taken for whole: whether it is, decoding says.
            #expect(original.attempts == 2 && original.bytes == 50)
        } else {
            #expect(original.attempts == 3 && original.bytes == 100)
        }
        #expect(scene.cached() == [original.file])
        fetcher.shutDown()
    }

    @Test("Attempts end, and the failure is transient")
    func end() async throws {
        let server = try await ScriptedServer.start(["/a.gif": [.status(503, "busy\n\n now")]])
        let fetcher = scene.fetcher { $0.retry.attempts = 4 }
        let error = try await fetcher.fetch(
            FetchRequest(url: server.url("/a.gif"), path: "/a.gif")
        ).failed()
        #expect(error.attempts == 4)
        #expect(error.isTransient)
        #expect(error.httpStatus == 503)
        #expect(error.message == "HTTP 503: busy now")
        #expect(try await server.log().requests.count == 4)
        fetcher.shutDown()
    }

    @Test("A wait that the host asks for is kept, in both forms")
    func retryAfter() async throws {
        let date = DateFormatter()
        date.locale = Locale(identifier: "en_US_POSIX")
        date.timeZone = TimeZone(identifier: "GMT")
        date.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let then = Date(timeIntervalSinceNow: 3).timeIntervalSince1970.rounded(.down)
        let inThree = date.string(from: Date(timeIntervalSince1970: then))
        let server = try await ScriptedServer.start([
            "/seconds": [.status(429, "", [("Retry-After", "1")]), Self.good],
            "/date": [.status(503, "", [("Retry-After", inThree)]), Self.good],
        ])
        let fetcher = scene.fetcher()
        async let seconds = fetcher.fetch(
            FetchRequest(url: server.url("/seconds"), path: "/seconds")
        )
        async let date2 = fetcher.fetch(FetchRequest(url: server.url("/date"), path: "/date"))
        #expect(try await seconds.fetched().attempts == 2)
        #expect(try await date2.fetched().attempts == 2)
        let times = try await server.requests("/seconds").map(\.time)
        #expect(times[1] - times[0] > 0.95)
        #expect(try await server.requests("/date")[1].time >= then)
        fetcher.shutDown()
    }

    @Test("A host that asks for a day is left alone until the next run")
    func longRetryAfter() async throws {
        let server = try await ScriptedServer.start([
            "/a": [.status(429, "", [("Retry-After", "86400")])]
        ])
        let fetcher = scene.fetcher()
        let error = try await fetcher.fetch(FetchRequest(url: server.url("/a"), path: "/a"))
            .failed()
        #expect(error.attempts == 1)
        #expect(error.isTransient)
        #expect(error.retryAfter == .seconds(86400))
        #expect(error.message.contains("left alone"))
        fetcher.shutDown()
    }

    @Test("Another host of the origin is asked at once when one does not answer")
    func otherHosts() async throws {
        let server = try await ScriptedServer.start(["/a": [Self.good]])
        let fetcher = scene.fetcher { $0.retry.delay = .seconds(60) }
        let request = FetchRequest(
            url: "http://127.0.0.1:1/a",
            path: "/a",
            otherHosts: ["http://no-such-host.invalid/a", server.url("/a")]
        )
        let original = try await fetcher.fetch(request).fetched()
        #expect(original.attempts == 3)
        #expect(original.finalURL == server.url("/a"))
        fetcher.shutDown()
    }

    @Test(
        "A host of the origin that does not answer holds nothing up that another one has",
        .timeLimit(.minutes(9))
    )
    func deadHost() async throws {
        let server = try await ScriptedServer.start(["/a": [Self.good]])
        let fetcher = scene.fetcher {
            // Whoever waited would wait beyond the test's limit.
            $0.transfer.firstPause = .seconds(3_600)
            $0.retry.longestRetryAfter = .seconds(7_200)
        }
        let request = FetchRequest(
            url: "http://127.0.0.1:1/a",
            path: "/a",
            otherHosts: [server.url("/a")]
        )
        try await withThrowingTaskGroup { group in
            for _ in 0..<60 { group.addTask { _ = try await fetcher.fetch(request).fetched() } }
            try await group.waitForAll()
        }
        fetcher.shutDown()
    }

    @Test(
        "Where one host has the wrong bytes, the others are asked once each",
        arguments: [Step.status(200, "<html>not here"), .body(Picture.gif(filler: 1)), .body([])]
    )
    func wrongBytes(wrong: Step) async throws {
        let server = try await ScriptedServer.start([
            "/a": [wrong], "/b": [wrong], "/c": [Self.good], "/gone": [.status(404)],
            "/down": [.status(500)],
        ])
        let fetcher = scene.fetcher()
        var request = FetchRequest(url: server.url("/a"), path: "/a")
        request.expected = try ContentDigest(of: Picture.gif().span, .md5)
        request.otherHosts = [server.url("/b"), server.url("/c")]
        let original = try await fetcher.fetch(request).fetched()
        #expect(original.finalURL == server.url("/c") && original.attempts == 3)

        request.otherHosts = [server.url("/gone"), server.url("/down")]
        let error = try await fetcher.fetch(request).failed()
        #expect(error.isOfOneHost && error.attempts == 3, "\(error)")
        #expect(error.message.hasSuffix("; the origin's other hosts do no better"))
        #expect(try await server.requests("/down").count == 1)
        fetcher.shutDown()
    }

    @Test("A wait ends when the task is cancelled")
    func cancel() async throws {
        let server = try await ScriptedServer.start(["/a": [.status(503)]])
        let fetcher = scene.fetcher {
            $0.retry.delay = .seconds(600)
            $0.retry.longestDelay = .seconds(600)
        }
        let task = Task {
            await fetcher.fetch(FetchRequest(url: server.url("/a"), path: "/a"))
        }
        try await Task.sleep(for: .milliseconds(200))
        task.cancel()
        #expect(try await task.value.failed().code == .cancelled)
        fetcher.shutDown()
    }

    @Test(
        "Streams of HTTP/2 that break are tried again on another connection",
        arguments: ["refused-once", "goaway-once", "no-error-once"]
    )
    func brokenStreams(mode: String) async throws {
        let server = try await BrokenHTTP2Server.start(mode: mode)
        let fetcher = scene.fetcher { $0.transfer.caFile = server.certificate.file }
        let original = try await fetcher.fetch(
            FetchRequest(url: server.url("/a.gif"), path: "/a.gif")
        ).fetched()
        #expect(original.bytes == 8000)
        #expect(original.attempts <= 2)
        fetcher.shutDown()
    }

    @Test(
        "A connection that ends after a number of requests costs no other one an attempt",
        arguments: ["cap-10", "last-10"]
    )
    func requestCap(mode: String) async throws {
        let server = try await BrokenHTTP2Server.start(mode: mode)
        let fetcher = scene.fetcher {
            $0.transfer.caFile = server.certificate.file
            $0.retry.attempts = 1
        }
        let failures = await withTaskGroup(of: FetchResult.self) { group in
            // So few that none is unlucky four times, however slow the machine is.
            for index in 0..<24 {
                group.addTask {
                    await fetcher.fetch(FetchRequest(url: server.url("/\(index)"), path: "/a"))
                }
            }
            return await group.reduce(into: [FetchError]()) {
                if case .failed(let error) = $1 { $0.append(error) }
            }
        }
        #expect(failures.isEmpty, "\(failures.first.map { "\($0)" } ?? "")")
        fetcher.shutDown()
    }

    @Test("One 429 among fifty pauses the host, and all fifty come in the end")
    func pausedHost() async throws {
        let busy = Step.status(429, "", [("Retry-After", "1")])
        let server = try await ScriptedServer.start([
            "/a.gif": [Self.good, Self.good, busy, Self.good]
        ])
        let fetcher = scene.fetcher { $0.transfer.transfersPerHost = 4 }
        let results = await withTaskGroup(of: FetchResult.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    await fetcher.fetch(FetchRequest(url: server.url("/a.gif"), path: "/a.gif"))
                }
            }
            return await group.reduce(into: [FetchResult]()) { $0.append($1) }
        }
        #expect(try results.map { try $0.fetched().attempts }.reduce(0, +) == 51)
        let times = try await server.requests("/a.gif").map(\.time)
        // Those that came before the answer was read.
        #expect(times.filter { $0 < times[2] + 0.9 }.count <= 15)
        fetcher.shutDown()
    }

    @Test("A host that is left alone gives way to the origin's others, and counts as not asked")
    func leftAlone() async throws {
        let day = Step.status(503, "", [("Retry-After", "86400")])
        let server = try await ScriptedServer.start([
            "/a.gif": [day], "/b.gif": [Self.good],
        ])
        let fetcher = scene.fetcher()
        let first = FetchRequest(url: server.url("/a.gif"), path: "/a.gif")
        #expect(try await fetcher.fetch(first).failed().code == .httpStatus)
        let error = try await fetcher.fetch(first).failed()
        #expect(error.code == .hostLeftAlone && error.isTransient && error.attempts == 0)
        var second = first
        second.otherHosts = [server.url("/b.gif", host: "localhost")]
        #expect(try await fetcher.fetch(second).fetched().bytes == 100)
        #expect(try await server.requests("/a.gif").count == 1)
        fetcher.shutDown()
    }
}

@Suite("The schedule of tries")
struct RetryScheduleTests {
    private func error(
        transient: Bool = true,
        answered: Bool = true,
        retryAfter: Duration? = nil
    ) -> FetchError {
        var error = FetchError(
            code: .httpStatus,
            subject: "",
            message: "",
            isTransient: transient,
            retryAfter: retryAfter
        )
        error.hostDidNotAnswer = !answered
        return error
    }

    private func steps(
        _ errors: [FetchError],
        hosts: Int = 1,
        attempts: Int = 3,
        fraction: Double = 0.5
    ) -> [RetrySchedule.Step] {
        var policy = RetryPolicy()
        policy.attempts = attempts
        policy.delay = .seconds(1)
        var schedule = RetrySchedule(policy, hosts: hosts)
        return errors.map { schedule.next(after: $0, fraction: fraction) }
    }

    @Test("The range of a wait doubles up to its limit")
    func waits() {
        var policy = RetryPolicy()
        policy.delay = .seconds(1)
        policy.longestDelay = .seconds(10)
        let waits = (1...6).map { policy.wait(failures: $0, fraction: 0.5) }
        #expect(waits == [0.5, 1, 2, 4, 5, 5].map { .seconds($0) })
        #expect(policy.wait(failures: 1000, fraction: 0) == .zero)
        #expect(policy.wait(failures: 1000, fraction: 1) == .seconds(10))
    }

    @Test("Three attempts are three tries")
    func attempts() {
        let expected: [RetrySchedule.Step] = [
            .again(host: 0, wait: .seconds(0.5)), .again(host: 0, wait: .seconds(1)), .giveUp,
        ]
        #expect(steps([error(), error(), error()]) == expected)
        #expect(steps([error()], attempts: 1) == [.giveUp])
    }

    @Test("What is permanent, or stops the run, is not tried again")
    func permanent() {
        var store = error()
        store.stopsTheRun = true
        #expect(steps([error(transient: false)]) == [.giveUp])
        #expect(steps([store]) == [.giveUp])
    }

    @Test("A longer wait of the host's is kept, one that is too long ends the tries")
    func retryAfter() {
        #expect(
            steps([error(retryAfter: .seconds(7))]) == [.again(host: 0, wait: .seconds(7))]
        )
        #expect(steps([error(retryAfter: .seconds(61))]) == [.leaveForNextRun])
    }

    @Test("A few connections that broke under others are free")
    func accidents() {
        var broken = error()
        broken.wasOnSharedConnection = true
        let expected: [RetrySchedule.Step] = [
            .again(host: 0, wait: .seconds(0.5)), .again(host: 0, wait: .seconds(1)),
            .again(host: 0, wait: .seconds(2)), .again(host: 0, wait: .seconds(4)), .giveUp,
        ]
        #expect(steps(Array(repeating: broken, count: 5), attempts: 2) == expected)
    }

    @Test("Hosts that do not answer are left in turn, without a wait and without an attempt")
    func hosts() {
        let dead = error(answered: false)
        let expected: [RetrySchedule.Step] = [
            .again(host: 1, wait: .zero), .again(host: 2, wait: .zero),
            .again(host: 0, wait: .seconds(0.5)), .again(host: 1, wait: .seconds(1)), .giveUp,
        ]
        #expect(steps([dead, dead, dead, dead, dead], hosts: 3) == expected)
        // One that is left alone until the next run is not come back to, and costs no attempt.
        var alone = dead
        alone.code = .hostLeftAlone
        let around: [RetrySchedule.Step] = [
            .again(host: 1, wait: .zero), .again(host: 0, wait: .seconds(0.5)),
            .again(host: 1, wait: .zero), .again(host: 1, wait: .seconds(1)), .giveUp,
        ]
        #expect(steps([dead, dead, alone, dead, alone], hosts: 2) == around)
        // A host that answers is asked again itself.
        #expect(steps([error()], hosts: 3) == [.again(host: 0, wait: .seconds(0.5))])
    }
}
