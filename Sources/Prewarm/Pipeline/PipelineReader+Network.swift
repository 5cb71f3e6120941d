internal import Fetching
internal import Rendering
internal import Transfer

/// How originals are fetched.
extension PipelineReader {
    func fetching(
        _ section: Section,
        _ rendering: RenderSettings
    ) -> FetchConfiguration {
        var fetching = FetchConfiguration()
        fetching.maximumBytes = rendering.limits.bytes
        fetching.formats = rendering.loaders
        fetching.revalidation = revalidation(section)
        fetching.retry.attempts = section.integer("attempts", default: 3, in: 1...100)
        if let seconds = section.optionalSeconds("retryPermanentAfter") {
            fetching.retry.permanentAfter = .seconds(seconds)
        }
        let standard = fetching.transfer
        fetching.transfer.transfers = section.integer(
            "connections",
            default: standard.transfers,
            in: 1...10_000
        )
        fetching.transfer.transfersPerHost = section.integer(
            "connectionsPerHost",
            default: standard.transfersPerHost,
            in: 1...10_000
        )
        fetching.transfer.bytesPerSecond = section.optionalByteCount("bytesPerSecond")
        fetching.transfer.connectTimeout = .seconds(
            section.seconds("connectTimeout", default: 10, atMost: 3_600)
        )
        fetching.transfer.timeout = .seconds(
            section.seconds("timeout", default: 120, atMost: 86_400)
        )
        fetching.transfer.minimumBytesPerSecond = minimumSpeed(
            section,
            default: standard.minimumBytesPerSecond
        )
        fetching.transfer.redirects = section.integer(
            "redirects",
            default: standard.redirects,
            in: 0...50
        )
        fetching.transfer.allowPrivateAddresses = section.boolean(
            "allowPrivateAddresses",
            default: false
        )
        fetching.transfer.userAgent =
            section.string("userAgent") ?? "gearbox/\(gearboxVersion)"
        if Self.hasControls(fetching.transfer.userAgent) {
            section.complain("userAgent", "a header holds no line ends or control characters")
        }
        fetching.transfer.proxy = proxy(section)
        fetching.transfer.caFile = section.string("caFile").map(absolute)
        fetching.transfer.http2 = section.boolean("http2", default: true)
        section.finish()
        return fetching
    }

    /// 0 stands for no minimum.
    private func minimumSpeed(_ section: Section, default standard: Int) -> Int {
        let key = "minimumBytesPerSecond"
        if section.tree(key) == .number(0) { return 0 }
        let speed = section.optionalByteCount(key) ?? standard
        guard speed <= Int(Int32.max) else {
            section.complain(key, "is more than \(Int32.max)")
            return standard
        }
        return speed
    }

    /// The proxy's URL; no message shows it, as it may hold a password.
    private func proxy(_ section: Section) -> String? {
        guard let text = section.string("proxy"),
            let url = expanded(text, "proxy", section)
        else { return nil }
        let schemes = ["http", "https", "socks5", "socks5h"]
        let parts = url.firstRange(of: "://").map { (url[..<$0.lowerBound], url[$0.upperBound...]) }
        guard let (scheme, rest) = parts, schemes.contains(scheme.lowercased()),
            let host = rest.split(separator: "@", omittingEmptySubsequences: false).last,
            let first = host.utf8.first, first != UInt8(ascii: ":"), first != UInt8(ascii: "/"),
            url.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            section.complain(
                "proxy",
                "is no URL of a proxy such as \"http://proxy:3128\", \"https://...\" or"
                    + " \"socks5://...\"; or null"
            )
            return nil
        }
        return url
    }

    private func revalidation(_ section: Section) -> Revalidation {
        switch section.tree("revalidate") {
        case nil, .string("always"): return .always
        case .string("cache-control"): return .cacheControl
        case .some(let tree):
            if let seconds = Quantity.seconds(tree) { return .age(.seconds(seconds)) }
            section.complain(
                "revalidate",
                "\(tree.kind) is not \"always\", \"cache-control\" or an age such as \"7d\""
            )
            return .always
        }
    }
}
