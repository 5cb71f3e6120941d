internal import CCurl

extension TransferError {
    /// CURLE_SSL_CONNECT_ERROR: the handshake broke off, which may pass.
    static let handshakeFailed: Int32 = 35

    /// Translates a code of libcurl, here and nowhere else.
    ///
    /// `detail` is libcurl's own text; it is shown only where it helps and holds no URL.
    init(_ result: CURLcode, detail: String, subject: String) {
        let (code, message) = Self.meaning(of: result, detail: detail)
        self.init(
            code: code,
            subject: subject,
            message: message,
            number: Int32(bitPattern: result.rawValue)
        )
    }

    private static func meaning(of result: CURLcode, detail: String) -> (Code, String) {
        switch result {
        case CURLE_URL_MALFORMAT: (.badURL, "libcurl cannot read the URL")
        case CURLE_COULDNT_RESOLVE_HOST: (.couldNotResolve, "the name of the host is not resolved")
        case CURLE_COULDNT_RESOLVE_PROXY:
            (.couldNotResolve, "the name of the proxy is not resolved; check network.proxy")
        case CURLE_COULDNT_CONNECT: (.couldNotConnect, "no connection: \(detail)")
        case CURLE_PROXY, CURLE_NO_CONNECTION_AVAILABLE:
            (.couldNotConnect, "no connection through the proxy: \(detail)")
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CLIENTCERT,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ISSUER_ERROR:
            (.tls, "TLS: \(detail)")
        case CURLE_PEER_FAILED_VERIFICATION:
            (.tls, "TLS: \(detail); for a private authority set network.caFile")
        case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE:
            (.tls, "TLS: the file of network.caFile cannot be read")
        case CURLE_OPERATION_TIMEDOUT: (.timedOut, "no end within the time allowed")
        case CURLE_PARTIAL_FILE: (.partialBody, "the connection was closed in mid-body")
        case CURLE_GOT_NOTHING: (.connectionReset, "the host closed the connection unanswered")
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR: (.connectionReset, "the connection broke")
        case CURLE_HTTP2, CURLE_HTTP2_STREAM: (.http2Stream, "the HTTP/2 stream was ended early")
        case CURLE_BAD_CONTENT_ENCODING: (.badEncoding, "the body is packed in no known way")
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
            (.badResponse, "what the host answers is not HTTP")
        case CURLE_ABORTED_BY_CALLBACK: (.cancelled, "cancelled")
        default: (.other(Int32(bitPattern: result.rawValue)), "libcurl: \(detail)")
        }
    }
}
