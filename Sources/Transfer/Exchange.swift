internal import CCurl

/// One request on its way: what has come so far, over all redirects.
///
/// Touched on the client's thread only, also by libcurl's callbacks, whose user data it is.
final class Exchange {
    let submission: Submission
    private(set) var location: Location
    private(set) var redirects = 0
    /// The time of the hops before this one.
    private(set) var spent = Duration.zero
    var started: ContinuousClock.Instant?
    /// While it is in flight.
    var handle: EasyHandle?

    private var statusLine: Int?
    private var fields = HeaderFields()
    private(set) var head: ResponseHead?
    /// The field that the response redirects by; its body is ignored.
    private(set) var redirectField: String?
    private var ignoredBytes = 0
    private(set) var bodyBytes = 0
    /// Bytes that came since this was last asked for.
    private var uncounted = 0
    /// Why a callback has broken the transfer off.
    private(set) var failure: TransferError?
    /// Whether the receiver has all that it wants.
    private(set) var hasEnough = false
    private var allowPrivateAddresses: Bool
    private var refusedAddress: NetworkAddress?
    private var hasTriedAddress = false

    init(_ submission: Submission, allowPrivateAddresses: Bool) {
        self.submission = submission
        self.allowPrivateAddresses = allowPrivateAddresses
        location = submission.location
    }

    var subject: String { TransferError.shown(location.url) }
    /// Whether it is where the request's own headers belong: not with another server of the same name.
    var isOnOwnServer: Bool {
        location.server == submission.location.server
            && location.scheme == submission.location.scheme
    }

    /// Whether another host may be asked in place of this one; where a redirect leads, no other is known.
    var mayLeave: Bool { submission.request.hasAlternative && redirects == 0 }

    /// Turns to where the response has redirected.
    func follow(limit: Int, now: ContinuousClock.Instant) throws(TransferError) {
        guard let field = redirectField else { preconditionFailure("there is no redirect") }
        guard redirects < limit else {
            throw TransferError(
                code: .redirectLoop,
                subject: TransferError.shown(submission.location.url),
                message: "more than \(limit) redirects, the last to \(subject)"
            )
        }
        location = try location.following(field)
        redirects += 1
        if let started { spent += started.duration(to: now) }
        started = nil
        refusedAddress = nil
        hasTriedAddress = false
        forgetHead()
    }

    private func forgetHead() {
        statusLine = nil
        fields = HeaderFields()
        head = nil
        redirectField = nil
        ignoredBytes = 0
    }

    /// The address that kept this hop from a connection: where another was tried, that one did.
    var blockingAddress: NetworkAddress? { hasTriedAddress ? nil : refusedAddress }

    /// Whether the host's name is resolved, or its connection used again.
    var hasReachedHost: Bool {
        hasTriedAddress || refusedAddress != nil || head != nil || redirectField != nil
    }

    func takeUncounted() -> Int {
        defer { uncounted = 0 }
        return uncounted
    }

    // MARK: - Callbacks

    /// A line of a head.
    ///
    /// - Returns: whether the transfer goes on.
    func receive(line: Span<UInt8>) -> Bool {
        // What comes after the head is a trailer.
        guard head == nil, redirectField == nil else { return true }
        if let status = Self.status(line) {
            fields = HeaderFields()
            statusLine = status
        } else if line.count <= 2, line.count == 0 || line[0] == 0x0D || line[0] == 0x0A {
            return endOfHead()
        } else {
            fields.add(line: line)
        }
        return true
    }

    private func endOfHead() -> Bool {
        guard let status = statusLine, status >= 200 else { return true }
        if Self.redirects(status), let field = fields["location"], !field.isEmpty {
            redirectField = field
            return true
        }
        let head = ResponseHead(status: status, headers: fields, url: location.url)
        self.head = head
        let maximum = submission.request.maximumBytes
        if (200..<300).contains(status), let length = fields["content-length"].flatMap(Int.init),
            length > maximum
        {
            failure = tooLarge("\(length) bytes are announced")
            return false
        }
        do { try submission.receiver.begin(head) } catch {
            failure = receiverFailed(error)
            return false
        }
        return true
    }

    /// Bytes of a body.
    ///
    /// - Returns: whether the transfer goes on.
    func receive(body: Span<UInt8>) -> Bool {
        uncounted += body.count
        if redirectField != nil {
            ignoredBytes += body.count
            // A longer page behind a redirect is not worth keeping the connection for.
            return ignoredBytes <= 64 * 1024
        }
        // An old server's answer may have no head that was understood.
        guard head != nil else { return false }
        bodyBytes += body.count
        guard bodyBytes <= submission.request.maximumBytes else {
            failure = tooLarge("there are more")
            return false
        }
        do {
            switch try submission.receiver.receive(body) {
            case .more: return true
            case .enough:
                hasEnough = true
                return false
            }
        } catch {
            failure = receiverFailed(error)
            return false
        }
    }

    /// Whether an address that the host's name has may be connected to.
    func mayConnect(to address: NetworkAddress?) -> Bool {
        guard allowPrivateAddresses || address?.isPublic == true else {
            refusedAddress = address
            return false
        }
        hasTriedAddress = true
        return true
    }

    private func tooLarge(_ what: String) -> TransferError {
        TransferError(
            code: .tooLarge,
            subject: subject,
            message: "\(what), at most \(submission.request.maximumBytes) bytes are taken"
        )
    }

    private func receiverFailed(_ error: any Error) -> TransferError {
        TransferError(
            code: .receiverFailed,
            subject: subject,
            message: "the body could not be kept: \(error)",
            cause: error
        )
    }

    private static func redirects(_ status: Int) -> Bool {
        switch status {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }

    private static let name = Array("HTTP/".utf8)

    /// The status of a line that begins a head: `HTTP/1.1 200 OK`, `HTTP/2 200`.
    private static func status(_ line: Span<UInt8>) -> Int? {
        guard line.count >= name.count + 5 else { return nil }
        for index in name.indices where line[index] != name[index] { return nil }
        var index = name.count
        while index < line.count, line[index] != 0x20 { index += 1 }
        guard index + 3 < line.count else { return nil }
        var status = 0
        for digit in index + 1...index + 3 {
            guard (0x30...0x39).contains(line[digit]) else { return nil }
            status = status * 10 + Int(line[digit] - 0x30)
        }
        return status
    }
}
