internal import CCurl

/// A transfer that has ended as HTTP wants it, whatever its status.
package struct TransferResponse: Sendable {
    package var head: ResponseHead
    /// How many bytes of body came, after unpacking.
    package var bodyBytes: Int
    /// Whether the end of the body was marked, by its length or by chunks.
    ///
    /// Where it was not, as in HTTP/2 without a length, libcurl 7.88 may report a body that was
    /// cut short as whole (curl#10715).
    package var isEndCertain: Bool
    /// How many redirects were followed.
    package var redirects: Int
    /// The wait that the server asks for, in either form of `Retry-After`.
    package var retryAfter: Duration?

    /// Reads `Retry-After`: seconds, or a date that is held against `now`.
    package static func retryAfter(_ text: String?, now: Int64) -> Duration? {
        guard let text, !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return .seconds(Int64(text) ?? Int64(Int32.max))
        }
        let date = Int64(unsafe curl_getdate(text, nil))
        return date < 0 ? nil : .seconds(max(0, date - now))
    }
}
