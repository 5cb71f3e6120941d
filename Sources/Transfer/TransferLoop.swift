internal import CCurl

/// What the client's one thread does: it alone touches libcurl's handles and the exchanges.
@safe final class TransferLoop {
    private let configuration: TransferConfiguration
    private let mailbox: Mailbox
    private let multi: UnsafeMutableRawPointer
    private let share: UnsafeMutableRawPointer?
    private let admission: Admission
    private var pauses: HostPauses
    /// Why hosts are left alone, where it is not that they are busy or silent.
    private var closures: [String: String] = [:]
    /// Those in flight to hosts that are not reached yet.
    private var pioneers: Set<UInt64> = []
    private var budget: ByteBudget?
    private var exchanges: [UInt64: Exchange] = [:]
    private var idle: [EasyHandle] = []
    private var isDraining = false

    /// How long commands may lie while the budget is overdrawn.
    private static let longestSleep = Duration.milliseconds(50)

    init(_ configuration: TransferConfiguration, _ mailbox: Mailbox) {
        guard let multi = unsafe curl_multi_init() else {
            unsafe ccurl_end_process("memory")
        }
        self.configuration = configuration
        self.mailbox = mailbox
        unsafe self.multi = multi
        unsafe share = curl_share_init()
        admission = Admission(
            limit: configuration.transfersAtOnce,
            limitPerHost: configuration.transfersPerHost
        )
        pauses = HostPauses(
            first: configuration.firstPause,
            longest: configuration.longestPause
        )
        budget = configuration.bytesPerSecond.map {
            ByteBudget(bytesPerSecond: $0, now: .now)
        }
        unsafe ccurl_multi_set_long(multi, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX)
        // Connections are kept for the hosts of a whole run, not for those in flight only.
        unsafe ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 4 * configuration.transfers)
        unsafe ccurl_share_tls_sessions(share)
    }

    deinit {
        for exchange in exchanges.values { release(exchange) }
        idle = []
        _ = unsafe curl_multi_cleanup(multi)
        _ = unsafe curl_share_cleanup(share)
    }

    /// Makes transfers until the mailbox is closed.
    func run() {
        mailbox.setWakeup(unsafe Wakeup(multi))
        while true {
            let (commands, isClosed) = mailbox.take()
            for command in commands { follow(command) }
            if isClosed { break }
            if let wait = budget?.wait(now: .now), wait > .zero {
                // What is not read waits in the sockets: the servers are slowed down by them.
                ccurl_sleep(min(wait, Self.longestSleep).pollTime)
                continue
            }
            let wait = admit()
            // Does not wait where something was started, but then sees in the same call what has
            // come for the others: every look at all of them costs.
            if mailbox.mayWait(fullHosts: isDraining ? [] : admission.fullHosts) {
                _ = unsafe curl_multi_poll(multi, nil, 0, wait, nil)
            }
            var running: Int32 = 0
            _ = unsafe curl_multi_perform(multi, &running)
            countBytes()
            noteReachedHosts()
            completeAll()
        }
        mailbox.setWakeup(nil)
        for id in exchanges.keys { cancel(id) }
    }

    private func follow(_ command: Mailbox.Command) {
        switch command {
        case .submit(let submission):
            let exchange = Exchange(
                submission,
                allowPrivateAddresses: configuration.allowPrivateAddresses
                    || configuration.proxy != nil
            )
            exchanges[submission.id] = exchange
            enqueue(exchange)
        case .cancel(let id): cancel(id)
        case .drain:
            isDraining = true
            for (id, exchange) in exchanges where exchange.handle == nil { cancel(id) }
        }
    }

    private func enqueue(_ exchange: Exchange) {
        guard !isDraining else { return finish(exchange, .failure(exchange.cancelled)) }
        let host = exchange.location.server
        guard !pauses.isClosed(host) else {
            return finish(exchange, .failure(exchange.hostLeftAlone(closures[host])))
        }
        // One asks after the pause whether it is over.
        if exchange.mayLeave, pauses.isSilent(host),
            pauses.isPaused(host) || admission.isBusy(host: host)
        {
            return finish(exchange, .failure(exchange.leftToOthers))
        }
        admission.enqueue(exchange.submission.id, host: host)
    }

    private func cancel(_ id: UInt64) {
        guard let exchange = exchanges[id] else { return }
        let isWaiting = admission.leave(id)
        if !isWaiting { release(exchange) }
        finish(exchange, .failure(exchange.cancelled))
    }

    /// Starts what may start.
    ///
    /// - Returns: how many milliseconds may pass until the next look.
    private func admit() -> Int32 {
        if pauses.nextEnd != nil {
            for host in pauses.ended(now: .now) { admission.allow(1, host: host) }
        }
        while let id = admission.next() {
            guard let exchange = exchanges[id] else {
                preconditionFailure("someone was admitted who has left")
            }
            start(exchange)
        }
        return pauses.nextEnd.map { ContinuousClock.now.duration(to: $0).pollTime } ?? 1000
    }

    private func start(_ exchange: Exchange) {
        let timeLeft = configuration.timeout - exchange.spent
        guard timeLeft > .zero else {
            admission.end(host: exchange.location.server)
            return finish(exchange, .failure(exchange.timedOut(in: configuration.timeout)))
        }
        if let refusal = refusalBehindProxy(exchange) {
            admission.end(host: exchange.location.server)
            return finish(exchange, .failure(refusal))
        }
        let handle = unsafe idle.popLast() ?? EasyHandle(configuration, share: share)
        handle.prepare(for: exchange, timeLeft: timeLeft)
        exchange.started = .now
        exchange.handle = handle
        if !admission.isReached(host: exchange.location.server) {
            pioneers.insert(exchange.submission.id)
        }
        _ = unsafe curl_multi_add_handle(multi, handle.pointer)
    }

    /// Behind a proxy only an address in the URL itself can be judged: names are the proxy's.
    private func refusalBehindProxy(_ exchange: Exchange) -> TransferError? {
        guard configuration.proxy != nil, !configuration.allowPrivateAddresses else { return nil }
        let host = exchange.location.host
        let address = NetworkAddress(host)
        guard address?.isPublic == false || host == "localhost" else { return nil }
        return exchange.addressRefused(address)
    }

    /// Takes an exchange off libcurl and gives its place away.
    private func release(_ exchange: Exchange) {
        guard let handle = exchange.handle else { return }
        exchange.handle = nil
        pioneers.remove(exchange.submission.id)
        _ = unsafe curl_multi_remove_handle(multi, handle.pointer)
        idle.append(handle)
        admission.end(host: exchange.location.server)
    }

    private func noteReachedHosts() {
        for id in pioneers {
            guard let exchange = exchanges[id], exchange.hasReachedHost else { continue }
            admission.reached(host: exchange.location.server)
            pioneers.remove(id)
        }
    }

    /// Pauses a host that asks for it, and opens it again.
    private func hear(_ exchange: Exchange, _ failure: TransferError?) {
        let host = exchange.location.server
        guard let asked = exchange.started, let answer = exchange.answer(after: failure) else {
            return
        }
        switch pauses.heard(answer, from: host, askedAt: asked, now: .now) {
        case .none: break
        case .pause:
            admission.allow(0, host: host)
            if pauses.isSilent(host) { leaveToOthers(host) }
        case .open: admission.allow(nil, host: host)
        case .close:
            if let failure {
                let trouble = answer == .untrusted ? "is not trusted" : "does not answer"
                closures[host] = "\(trouble): \(failure.message)"
            }
            for id in admission.leaveAll(host: host) {
                guard let exchange = exchanges[id] else { continue }
                finish(exchange, .failure(exchange.hostLeftAlone(closures[host])))
            }
        }
    }

    /// Sends away who waits for a silent host and knows another.
    private func leaveToOthers(_ host: String) {
        for id in admission.leaveAll(host: host) {
            guard let exchange = exchanges[id] else { continue }
            if exchange.mayLeave {
                finish(exchange, .failure(exchange.leftToOthers))
            } else {
                admission.enqueue(id, host: host)
            }
        }
    }

    private func countBytes() {
        guard budget != nil else { return }
        for exchange in exchanges.values { budget?.spend(exchange.takeUncounted()) }
    }

    // MARK: - Ends

    private func completeAll() {
        var result = CURLE_OK
        while let easy = unsafe ccurl_next_done(multi, &result) {
            guard let user = unsafe ccurl_info_private(easy) else { continue }
            complete(
                unsafe Unmanaged<Exchange>.fromOpaque(user).takeUnretainedValue(),
                result
            )
        }
    }

    private func complete(_ exchange: Exchange, _ result: CURLcode) {
        guard let handle = exchange.handle else { return }
        let failure = exchange.failure(result, handle, configuration)
        // Before its place is given to the next one of the host.
        hear(exchange, failure)
        release(exchange)
        if let failure { return finish(exchange, .failure(failure)) }
        if exchange.redirectField != nil {
            do {
                try exchange.follow(limit: configuration.redirects, now: .now)
                enqueue(exchange)
            } catch {
                finish(exchange, .failure(error))
            }
            return
        }
        finish(exchange, response(of: exchange))
    }

    private func response(of exchange: Exchange) -> Result<TransferResponse, TransferError> {
        guard let head = exchange.head else {
            return .failure(.init(CURLE_WEIRD_SERVER_REPLY, detail: "", subject: exchange.subject))
        }
        let isChunked = head.headers["transfer-encoding"]?.lowercased().contains("chunked") == true
        // libcurl does not tell a packed body that ends too early.
        let isPacked = head.headers["content-encoding"].map { $0.lowercased() != "identity" }
        return .success(
            TransferResponse(
                head: head,
                bodyBytes: exchange.bodyBytes,
                isEndCertain: isPacked != true
                    && (isChunked || head.headers["content-length"] != nil),
                redirects: exchange.redirects,
                retryAfter: exchange.retryAfter
            )
        )
    }

    private func finish(
        _ exchange: Exchange,
        _ result: Result<TransferResponse, TransferError>
    ) {
        exchanges[exchange.submission.id] = nil
        exchange.submission.finish(result)
    }
}

extension Duration {
    /// Milliseconds for libcurl's poll, at most a second.
    fileprivate var pollTime: Int32 {
        Int32(min(1000, max(0, Int64(self / .milliseconds(1)) + 1)))
    }
}
