internal import CCurl

/// One of libcurl's handles, for one transfer at a time.
///
/// Setting every option again would cost more than a small transfer's own share of the work: what
/// all transfers have in common is set once.
@safe final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    private let configuration: TransferConfiguration
    private var lines: UnsafeMutablePointer<curl_slist>?
    /// Where libcurl writes what went wrong.
    private let text = UnsafeMutableBufferPointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init(_ configuration: TransferConfiguration, share: UnsafeMutableRawPointer?) {
        guard let pointer = unsafe curl_easy_init() else {
            unsafe ccurl_end_process("memory")
        }
        self.configuration = configuration
        unsafe self.pointer = pointer
        unsafe text.initialize(repeating: 0)
        unsafe ccurl_set_callbacks(pointer, receiveHeader, receiveBody, openSocket)
        _ = unsafe ccurl_set_pointer(pointer, CURLOPT_SHARE, share)
        _ = unsafe ccurl_set_pointer(pointer, CURLOPT_ERRORBUFFER, text.baseAddress)
        setProtocol()
        setLimits()
    }

    deinit {
        unsafe curl_easy_cleanup(pointer)
        unsafe curl_slist_free_all(lines)
        unsafe text.deallocate()
    }

    /// What libcurl says about the transfer's failure.
    func detail(of result: CURLcode) -> String {
        let said = unsafe String(
            decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
            as: UTF8.self
        )
        return said.isEmpty ? unsafe String(cString: curl_easy_strerror(result)) : said
    }

    /// Makes it ready for the next hop of an exchange, which must outlive the transfer.
    func prepare(for exchange: Exchange, timeLeft: Duration) {
        unsafe ccurl_set_user(pointer, Unmanaged.passUnretained(exchange).toOpaque())
        unsafe text[0] = 0
        let location = exchange.location
        set(CURLOPT_URL, location.url)
        // Waits for a connection that is being made rather than open one more.
        set(CURLOPT_PIPEWAIT, configuration.http2 && location.scheme == "https" ? 1 : 0)
        setHeaders(exchange)
        set(CURLOPT_TIMEOUT_MS, timeLeft.milliseconds)
        set(CURLOPT_FRESH_CONNECT, exchange.submission.request.needsFreshConnection ? 1 : 0)
    }

    /// What is the same for all transfers.
    private func setProtocol() {
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        set(CURLOPT_DNS_CACHE_TIMEOUT, 300)
        let http2 = configuration.http2
        set(CURLOPT_HTTP_VERSION, http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
        // An empty text is "none"; the environment would be asked otherwise.
        set(CURLOPT_PROXY, configuration.proxy ?? "")
        set(CURLOPT_NOPROXY, "")
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        if let file = configuration.caFile { set(CURLOPT_CAINFO, file) }
        set(CURLOPT_USERAGENT, configuration.userAgent)
        // Asks for no packing, and unpacks what comes packed nevertheless.
        set(CURLOPT_ACCEPT_ENCODING, "identity")
    }

    private func setLimits() {
        set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.milliseconds)
        set(CURLOPT_LOW_SPEED_TIME, max(1, configuration.slowWindow.milliseconds / 1000))
        var lowest = configuration.minimumBytesPerSecond
        var piece = Self.longestPiece
        if let rate = configuration.bytesPerSecond {
            // Who is slowed down by us is not too slow.
            lowest = min(lowest, rate / configuration.transfersAtOnce / 4)
            piece = 1024
        }
        set(CURLOPT_LOW_SPEED_LIMIT, lowest)
        set(CURLOPT_BUFFERSIZE, piece)
    }

    private static let longestPiece = 128 * 1024

    private func setHeaders(_ exchange: Exchange) {
        let request = exchange.submission.request
        guard unsafe lines != nil || request.hasHeaders else { return }
        let old = unsafe lines
        unsafe lines = nil
        for line in request.lines(withOwnHeaders: exchange.isOnOwnServer) {
            if let longer = unsafe curl_slist_append(lines, line) { unsafe lines = longer }
        }
        _ = unsafe ccurl_set_pointer(pointer, CURLOPT_HTTPHEADER, lines)
        unsafe curl_slist_free_all(old)
    }

    /// Whether the request was sent: the name resolved, the connection made, or one used again.
    var hasConnected: Bool {
        unsafe ccurl_info_offset(pointer, CURLINFO_PRETRANSFER_TIME_T) > 0
    }

    /// Whether others may have used the connection, too: it was open already, or is HTTP/2's.
    var isOnSharedConnection: Bool {
        unsafe isHTTP2 || ccurl_info_long(pointer, CURLINFO_NUM_CONNECTS) == 0
    }

    /// Whether the response, as far as it came, is HTTP/2's.
    var isHTTP2: Bool {
        unsafe ccurl_info_long(pointer, CURLINFO_HTTP_VERSION) == CURL_HTTP_VERSION_2_0
    }

    private func set(_ option: CURLoption, _ value: Int) {
        _ = unsafe ccurl_set_long(pointer, option, value)
    }

    private func set(_ option: CURLoption, _ value: String) {
        _ = unsafe ccurl_set_string(pointer, option, value)
    }
}

extension Duration {
    /// At least 1: libcurl takes 0 for its own default.
    fileprivate var milliseconds: Int { max(1, Int(self / .milliseconds(1))) }
}

private func exchange(_ user: UnsafeMutableRawPointer?) -> Exchange? {
    guard let user = unsafe user else { return nil }
    return unsafe Unmanaged<Exchange>.fromOpaque(user).takeUnretainedValue()
}

private func receiveHeader(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ user: UnsafeMutableRawPointer?
) -> Int {
    let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    let goesOn = unsafe exchange(user)?.receive(line: line.bindMemory(to: UInt8.self).span)
    return goesOn == true ? size * count : -1
}

private func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ user: UnsafeMutableRawPointer?
) -> Int {
    let body = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    let goesOn = unsafe exchange(user)?.receive(body: body.bindMemory(to: UInt8.self).span)
    return goesOn == true ? size * count : -1
}

private func openSocket(
    _ user: UnsafeMutableRawPointer?,
    _ purpose: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let address = unsafe address, let exchange = unsafe exchange(user) else {
        return ccurl_no_socket()
    }
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = unsafe ccurl_address_bytes(address, &bytes)
    let network = NetworkAddress(bytes: Array(bytes.prefix(Int(count))))
    guard exchange.mayConnect(to: network) else { return ccurl_no_socket() }
    return unsafe ccurl_open_socket(address)
}
