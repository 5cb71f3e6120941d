internal import Store
internal import Transfer

/// Why an original could not be fetched.
package struct FetchError: Error, Sendable, CustomStringConvertible {
    /// The words by which a run counts its failures.
    package enum Code: String, Sendable, CaseIterable, Hashable {
        case badURL = "bad-url"
        case notResolved = "not-resolved"
        case notConnected = "not-connected"
        case hostLeftAlone = "host-left-alone"
        case addressRefused = "address-refused"
        case tls
        case timedOut = "timed-out"
        case tooSlow = "too-slow"
        case connectionBroken = "connection-broken"
        case partialBody = "partial-body"
        case badResponse = "bad-response"
        case redirectLoop = "redirect-loop"
        case httpStatus = "http-status"
        case tooLarge = "too-large"
        case emptyBody = "empty-body"
        case unsupportedType = "unsupported-type"
        case digestMismatch = "digest-mismatch"
        case notFound = "not-found"
        case pathRefused = "path-refused"
        case unreadable
        case changing
        case store
        case cancelled
    }

    package var code: Code
    /// The URL without its query, or the path.
    package var subject: String
    /// What happened and what to do, in one line.
    package var message: String
    /// Whether it may succeed later; else the same bytes will fail the same way.
    package var isTransient: Bool
    /// Whether everything else will fail the same way: a full disk.
    package var stopsTheRun: Bool
    package var attempts: Int
    package var httpStatus: Int?
    /// The wait that the host has asked for.
    package var retryAfter: Duration?
    /// Whether another host of the origin may do better.
    package var hostDidNotAnswer: Bool
    /// Whether the connection itself is not to be trusted again.
    package var needsFreshConnection: Bool
    /// Whether the connection broke while others used it: their doing, maybe.
    package var wasOnSharedConnection: Bool

    package init(
        code: Code,
        subject: String,
        message: String,
        isTransient: Bool = false,
        httpStatus: Int? = nil,
        retryAfter: Duration? = nil
    ) {
        self.code = code
        self.subject = subject
        self.message = message
        self.isTransient = isTransient
        self.httpStatus = httpStatus
        self.retryAfter = retryAfter
        stopsTheRun = false
        attempts = 1
        hostDidNotAnswer = false
        needsFreshConnection = false
        wasOnSharedConnection = false
    }

    /// Whether it is permanent and yet may be the one host's fault: stale bytes, a page in place of a
    /// picture, a certificate that has run out.
    package var isOfOneHost: Bool {
        switch code {
        case .digestMismatch, .unsupportedType, .emptyBody: true
        case .tls: !isTransient
        default: false
        }
    }

    package var description: String { "\(subject): \(message)" }
}
