internal import CCurl

/// What the client's one thread does: it alone touches libcurl's handles and the exchanges.
@safe final class TransferLoop {
    private let configuration: TransferConfiguration
    private let mailbox: Mailbox
    private let multi: UnsafeMutableRawPointer
    private let share: UnsafeMutableRawPointer?
    private var admission: Admission
    private var budget: ByteBudget?
    private var exchanges: [UInt64: Exchange] = [:]
    private var inFlight: [UInt64: EasyHandle] = [:]
    private var idle: [EasyHandle] = []

    init(_ configuration: TransferConfiguration, _ mailbox: Mailbox) {
        guard let multi = unsafe curl_multi_init() else {
            preconditionFailure("there is no memory for transfers")
        }
        self.configuration = configuration
        self.mailbox = mailbox
        unsafe self.multi = multi
        unsafe share = curl_share_init()
        admission = Admission(
            limit: configuration.transfers,
            limitPerHost: configuration.transfersPerHost
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
        for handle in inFlight.values { _ = unsafe curl_multi_remove_handle(multi, handle.pointer) }
        inFlight = [:]
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
            let wait = admit()
            var running: Int32 = 0
            _ = unsafe curl_multi_perform(multi, &running)
            countBytes()
            if !completeAll() { _ = unsafe curl_multi_poll(multi, nil, 0, wait, nil) }
        }
        mailbox.setWakeup(nil)
        for id in exchanges.keys { cancel(id) }
    }

    private func follow(_ command: Mailbox.Command) {
        switch command {
        case .submit(let submission):
            exchanges[submission.id] = Exchange(
                submission,
                allowPrivateAddresses: configuration.allowPrivateAddresses
                    || configuration.proxy != nil
            )
            admission.enqueue(submission.id, host: submission.location.host)
        case .cancel(let id): cancel(id)
        }
    }

    private func cancel(_ id: UInt64) {
        guard let exchange = exchanges[id] else { return }
        let isWaiting = admission.leave(id)
        if !isWaiting { release(exchange) }
        finish(
            exchange,
            .failure(.init(code: .cancelled, subject: exchange.subject, message: "cancelled"))
        )
    }

    /// Starts what may start.
    ///
    /// - Returns: how many milliseconds may pass until the next look.
    private func admit() -> Int32 {
        if let wait = budget?.wait(now: .now), wait > .zero {
            return Int32(clamping: Int64(wait / .milliseconds(1)) + 1)
        }
        while let id = admission.next() {
            guard let exchange = exchanges[id] else {
                preconditionFailure("someone was admitted who has left")
            }
            start(exchange)
        }
        return 1000
    }

    private func start(_ exchange: Exchange) {
        let timeLeft = configuration.timeout - exchange.spent
        guard timeLeft > .zero else {
            admission.end(host: exchange.location.host)
            return finish(exchange, .failure(timedOut(exchange, in: configuration.timeout)))
        }
        if let refusal = refusalBehindProxy(exchange) {
            admission.end(host: exchange.location.host)
            return finish(exchange, .failure(refusal))
        }
        let handle = idle.popLast() ?? EasyHandle()
        unsafe handle.prepare(for: exchange, configuration, timeLeft: timeLeft, share: share)
        exchange.started = .now
        inFlight[exchange.submission.id] = handle
        shareSpeed()
        _ = unsafe curl_multi_add_handle(multi, handle.pointer)
    }

    /// Behind a proxy only an address in the URL itself can be judged: names are the proxy's.
    private func refusalBehindProxy(_ exchange: Exchange) -> TransferError? {
        guard configuration.proxy != nil, !configuration.allowPrivateAddresses else { return nil }
        let host = exchange.location.host
        let address = NetworkAddress(host)
        guard address?.isPublic == false || host == "localhost" else { return nil }
        return addressRefused(exchange, address)
    }

    /// Takes an exchange off libcurl and gives its place away.
    private func release(_ exchange: Exchange) {
        guard let handle = inFlight.removeValue(forKey: exchange.submission.id) else { return }
        _ = unsafe curl_multi_remove_handle(multi, handle.pointer)
        idle.append(handle)
        admission.end(host: exchange.location.host)
        shareSpeed()
    }

    private func shareSpeed() {
        guard let budget else { return }
        let share = budget.share(of: inFlight.count)
        for handle in inFlight.values {
            handle.limitSpeed(to: share, minimum: configuration.minimumBytesPerSecond)
        }
    }

    private func countBytes() {
        guard budget != nil else { return }
        for id in inFlight.keys { budget?.spend(exchanges[id]?.takeUncounted() ?? 0) }
    }

    // MARK: - Ends

    private func completeAll() -> Bool {
        var any = false
        var result = CURLE_OK
        while let easy = unsafe ccurl_next_done(multi, &result) {
            any = true
            guard let user = unsafe ccurl_info_private(easy) else { continue }
            complete(
                unsafe Unmanaged<Exchange>.fromOpaque(user).takeUnretainedValue(),
                result
            )
        }
        return any
    }

    private func complete(_ exchange: Exchange, _ result: CURLcode) {
        guard let handle = inFlight[exchange.submission.id] else { return }
        let failure = failure(of: exchange, result, handle)
        release(exchange)
        if let failure { return finish(exchange, .failure(failure)) }
        if exchange.redirectField != nil {
            do {
                try exchange.follow(limit: configuration.redirects, now: .now)
                admission.enqueue(exchange.submission.id, host: exchange.location.host)
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
        return .success(
            TransferResponse(
                head: head,
                bodyBytes: exchange.bodyBytes,
                isEndCertain: isChunked || head.headers["content-length"] != nil,
                redirects: exchange.redirects,
                retryAfter: TransferResponse.retryAfter(
                    head.headers["retry-after"],
                    now: ccurl_wall_seconds()
                )
            )
        )
    }

    private func failure(
        of exchange: Exchange,
        _ result: CURLcode,
        _ handle: EasyHandle
    ) -> TransferError? {
        if let failure = exchange.failure { return failure }
        // A redirect counts however its page has ended.
        if result == CURLE_OK || exchange.hasEnough || exchange.redirectField != nil { return nil }
        if result == CURLE_COULDNT_CONNECT, let address = exchange.blockingAddress {
            return addressRefused(exchange, address)
        }
        if result == CURLE_OPERATION_TIMEDOUT { return timedOut(exchange, handle) }
        return TransferError(
            result,
            detail: handle.detail(of: result),
            subject: exchange.subject
        )
    }

    private func timedOut(_ exchange: Exchange, _ handle: EasyHandle) -> TransferError {
        let hop = exchange.started?.duration(to: .now) ?? .zero
        if exchange.spent + hop >= configuration.timeout - .milliseconds(20) {
            return timedOut(exchange, in: configuration.timeout)
        }
        guard handle.hasConnected else {
            return TransferError(
                code: .timedOut,
                subject: exchange.subject,
                message: "no connection within \(configuration.connectTimeout)"
            )
        }
        let (minimum, window) = (configuration.minimumBytesPerSecond, configuration.slowWindow)
        return TransferError(
            code: .tooSlow,
            subject: exchange.subject,
            message: "slower than \(minimum) bytes a second for \(window)"
        )
    }

    private func timedOut(_ exchange: Exchange, in time: Duration) -> TransferError {
        TransferError(
            code: .timedOut,
            subject: exchange.subject,
            message: "not complete within \(time), after \(exchange.bodyBytes) bytes"
        )
    }

    private func addressRefused(
        _ exchange: Exchange,
        _ address: NetworkAddress?
    ) -> TransferError {
        let place = address?.description ?? "this machine"
        return TransferError(
            code: .addressRefused,
            subject: exchange.subject,
            message: "the host is at \(place), which is not of the public Internet; "
                + "set network.allowPrivateAddresses if that is meant"
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
