internal import CCurl

/// Why an exchange has not ended with a response.
extension Exchange {
    /// Translates the end that libcurl reports.
    ///
    /// - Returns: `nil` where the response counts.
    func failure(
        _ result: CURLcode,
        _ handle: EasyHandle,
        _ configuration: TransferConfiguration
    ) -> TransferError? {
        if let failure { return failure }
        // A redirect counts however its page has ended.
        if result == CURLE_OK || hasEnough || redirectField != nil { return nil }
        if result == CURLE_COULDNT_CONNECT, let address = blockingAddress {
            return addressRefused(address)
        }
        if result == CURLE_OPERATION_TIMEDOUT { return timedOut(handle, configuration) }
        var error = TransferError(result, detail: handle.detail(of: result), subject: subject)
        switch error.code {
        case .http2Stream: error.wasOnSharedConnection = true
        case .connectionReset: error.wasOnSharedConnection = handle.isOnSharedConnection
        // Without a head only a stream of HTTP/2 can be partial.
        case .partialBody: error.wasOnSharedConnection = handle.isHTTP2 || head == nil
        case .badEncoding: error.message = undecoded
        default: break
        }
        return error
    }

    /// libcurl has one code for a packing that it does not know and for a body that is not packed so.
    private var undecoded: String {
        let field = (head?.headers["content-encoding"] ?? "").lowercased()
        let name = String(
            field.unicodeScalars.prefix(40).filter { (0x20..<0x7F).contains($0.value) }
        )
        return ["gzip", "x-gzip", "deflate"].contains(name)
            ? "the body is not what its Content-Encoding \"\(name)\" says, or is damaged"
            : "its Content-Encoding \"\(name)\" is not known; none was asked for"
    }

    private func timedOut(
        _ handle: EasyHandle,
        _ configuration: TransferConfiguration
    ) -> TransferError {
        let hop = started?.duration(to: .now) ?? .zero
        if spent + hop >= configuration.timeout - .milliseconds(20) {
            return timedOut(in: configuration.timeout)
        }
        guard handle.hasConnected else {
            return TransferError(
                code: .timedOut,
                subject: subject,
                message: "no connection within \(configuration.connectTimeout)"
            )
        }
        let (minimum, window) = (configuration.minimumBytesPerSecond, configuration.slowWindow)
        return TransferError(
            code: .tooSlow,
            subject: subject,
            message: "slower than \(minimum) bytes a second for \(window)"
        )
    }

    func timedOut(in time: Duration) -> TransferError {
        TransferError(
            code: .timedOut,
            subject: subject,
            message: "not complete within \(time), after \(bodyBytes) bytes"
        )
    }

    func addressRefused(_ address: NetworkAddress?) -> TransferError {
        let place = address?.description ?? "this machine"
        return TransferError(
            code: .addressRefused,
            subject: subject,
            message: "the host is at \(place), which is not of the public Internet; "
                + "set network.allowPrivateAddresses if that is meant"
        )
    }

    var cancelled: TransferError { .cancelled(location.url) }

    /// The host was busy or did not answer for as long as the client waits, or has no certificate
    /// that is trusted.
    func hostLeftAlone(_ reason: String?) -> TransferError {
        let trouble = reason ?? "is busy or does not answer"
        return TransferError(
            code: .hostLeftAlone,
            subject: subject,
            message: "\(location.shownServer) \(trouble); it is left alone until the next run"
        )
    }

    /// The host does not answer, and whoever asks knows another.
    var leftToOthers: TransferError {
        TransferError(
            code: .hostLeftAlone,
            subject: subject,
            message: "\(location.shownServer) does not answer at present"
        )
    }

    /// What has been learnt about the host; `nil` where it is nothing.
    func answer(after failure: TransferError?) -> HostPauses.Answer? {
        guard let status = head?.status else {
            switch failure?.code {
            case .couldNotResolve, .couldNotConnect, .timedOut, .tooSlow: return .silent
            case .tls: return failure?.isTransient == true ? .silent : .untrusted
            // One connection may break for all of its transfers at once.
            case .connectionReset, .http2Stream, .badResponse, .partialBody: return nil
            default: return redirectField == nil ? nil : .serving
            }
        }
        switch status {
        case 429: return .busy(retryAfter)
        case 503: return retryAfter.map { .busy($0) } ?? .failing
        default: return .serving
        }
    }

    var retryAfter: Duration? {
        TransferResponse.retryAfter(head?.headers["retry-after"], now: ccurl_wall_seconds())
    }
}
