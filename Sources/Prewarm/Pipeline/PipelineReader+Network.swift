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
            section.integer("connectTimeout", default: 10, in: 1...3_600)
        )
        fetching.transfer.timeout = .seconds(
            section.integer("timeout", default: 120, in: 1...86_400)
        )
        fetching.transfer.minimumBytesPerSecond = section.integer(
            "minimumBytesPerSecond",
            default: standard.minimumBytesPerSecond,
            in: 0...Int(Int32.max)
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
        fetching.transfer.proxy = section.string("proxy")
        fetching.transfer.caFile = section.string("caFile").map(absolute)
        fetching.transfer.http2 = section.boolean("http2", default: true)
        section.finish()
        return fetching
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
