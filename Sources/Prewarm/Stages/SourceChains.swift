internal import Fetching
internal import GearboxURL

/// Who renders the sources of a pipeline's origins, and where their originals come from.
struct SourceChains: Sendable {
    private let origins: [String: Pipeline.Origin]
    private let hosts: [String: [String]]

    init(_ pipeline: Pipeline) {
        origins = Dictionary(uniqueKeysWithValues: pipeline.origins.map { ($0.name, $0) })
        hosts = Dictionary(
            uniqueKeysWithValues: pipeline.rules.origins.map { ($0.name, $0.hosts) }
        )
    }

    func rendering(ofOrigin name: String) -> Pipeline.Origin.Rendering {
        origins[name]?.rendering ?? .local
    }

    /// Whether the original of a source is read for its size alone.
    func probes(_ source: SourceRow) -> Bool {
        rendering(ofOrigin: source.origin) == .remote(probes: true) && !source.isOpaque
            && source.variantOf == nil
    }

    /// The data sources of an origin, the first that has an original wins.
    ///
    /// What is opaque is the work of a server: a mirror has only the untouched original.
    func sources(ofOrigin name: String, isOpaque: Bool) -> [DataSource] {
        let chain = origins[name]?.sources ?? [.http]
        return isOpaque ? chain.filter { $0 == .http } : chain
    }

    func headers(ofOrigin name: String) -> [String: String] { origins[name]?.headers ?? [:] }

    /// A source on the other hosts of its origin; what goes verbatim stays where it is.
    func otherHosts(
        ofOrigin name: String,
        url: String,
        path: String,
        isOpaque: Bool
    ) -> [String] {
        guard !isOpaque, url.hasSuffix(path), let hosts = hosts[name] else { return [] }
        let site = url.dropLast(path.count)
        guard let scheme = site.firstRange(of: "//") else { return [] }
        return hosts.filter { $0 != site[scheme.upperBound...] }.map {
            site[..<scheme.upperBound] + $0 + path
        }
    }
}
