/// Why a transfer did not end with a response.
package struct TransferError: Error, Sendable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        case badURL, unsupportedProtocol, badRequest
        case couldNotResolve, couldNotConnect, addressRefused, tls
        /// The host wants to be left alone for longer than a client waits.
        case hostLeftAlone
        case timedOut, tooSlow
        case redirectLoop, badResponse, badEncoding, tooLarge
        case partialBody, connectionReset, http2Stream
        case receiverFailed, cancelled
        /// A code of libcurl that nobody has expected.
        case other(Int32)
    }

    package var code: Code
    /// The URL, without user, password and query.
    package var subject: String
    /// What happened and what to do, in one line.
    package var message: String
    /// libcurl's number; 0 where it reported nothing.
    package var number: Int32
    /// What the receiver has thrown.
    package var cause: (any Error)?
    /// Whether a connection broke that others were using: it may be their doing.
    package var wasOnSharedConnection = false

    package init(
        code: Code,
        subject: String,
        message: String,
        number: Int32 = 0,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.subject = subject
        self.message = message
        self.number = number
        self.cause = cause
    }

    /// Nobody waits for it any more.
    static func cancelled(_ url: String, _ message: String = "cancelled") -> TransferError {
        TransferError(code: .cancelled, subject: shown(url), message: message)
    }

    /// Whether the same transfer may succeed a little later.
    package var isTransient: Bool {
        switch code {
        case .couldNotResolve, .couldNotConnect, .timedOut, .tooSlow, .partialBody,
            .connectionReset, .http2Stream, .badResponse, .hostLeftAlone:
            true
        case .tls: number == Self.handshakeFailed
        default: false
        }
    }

    /// Whether the host has not answered at all, so that another host of the origin may.
    package var hostDidNotAnswer: Bool {
        switch code {
        case .couldNotResolve, .couldNotConnect, .timedOut, .tooSlow, .connectionReset,
            .hostLeftAlone:
            true
        case .tls: number == Self.handshakeFailed
        default: false
        }
    }

    package var description: String { "\(subject): \(message)" }

    /// A URL as it may be shown: without user, password and query, which may hold secrets.
    package static func shown(_ url: String) -> String {
        let bytes = Array(url.utf8)
        let end = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        let hasQuery = end.map { bytes[$0] == UInt8(ascii: "?") } ?? false
        var shown = bytes[..<(end ?? bytes.count)]
        if let host = Self.authority(shown),
            let at = shown[host].lastIndex(of: UInt8(ascii: "@"))
        {
            shown.removeSubrange(host.lowerBound...at)
        }
        let printable = shown.prefix(512).map { (0x21..<0x7F).contains($0) ? $0 : 0x3F }
        return String(decoding: printable, as: UTF8.self) + (hasQuery ? "?..." : "")
    }

    /// Where in a URL its host is, with what belongs to it.
    private static func authority(_ url: ArraySlice<UInt8>) -> Range<Int>? {
        let slash = UInt8(ascii: "/")
        guard let first = url.firstIndex(of: slash), first + 1 < url.endIndex,
            url[first + 1] == slash
        else { return nil }
        let start = first + 2
        return start..<(url[start...].firstIndex(of: slash) ?? url.endIndex)
    }
}
