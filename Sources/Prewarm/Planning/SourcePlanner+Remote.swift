internal import GearboxURL

/// The plan of a source whose variants its origin renders.
extension SourcePlanner {
    /// A variant as an earlier run has left it.
    private struct Left {
        /// Whose bytes it is made of.
        let source: SourceRow
        let row: VariantRow
    }

    private struct KnownVariants {
        let source: SourceRow
        let requests: [Directives?]
        var variants: [Left] = []
        /// The sources that variants have of their own, by the variants' keys.
        var sources: [String: SourceRow] = [:]
    }

    func remotePlan(of request: Request, probes: Bool) throws -> SourcePlan {
        let path = request.source ?? request.key
        let known = try known(request, path)
        let wanted = VariantPlanner(pipeline).wanted(
            for: (known?.requests ?? []) + [request.directives],
            isSigned: known?.source.isSigned ?? !request.fetchURL.hasSuffix(path)
        )
        let left = Dictionary((known?.variants ?? []).map { ($0.row.key, $0) }) { first, _ in
            first
        }
        var variants: [SourcePlan.Variant] = []
        for directives in wanted {
            let key = canonicalizer.key(of: directives, source: path, origin: request.origin)
            guard let key else { continue }
            variants.append(variant(key, request, left[key], isWanted: true))
        }
        let keys = Set(variants.map(\.key))
        for other in known?.variants ?? []
        where other.row.file != nil && !keys.contains(other.row.key) {
            variants.append(variant(other.row.key, request, other, isWanted: false))
        }
        let isOriginalAsked = probes || variants.contains { $0.key == path }
        let (lookups, original) =
            isOriginalAsked ? try lookedUp(request, known?.source) : ([], nil)
        var plan = SourcePlan(
            request: request,
            isRemote: true,
            steps: "",
            lookups: lookups,
            original: original,
            variants: variants
        )
        plan.problem = settledProblem(
            request.directives == nil ? known?.source : known?.sources[request.key]
        )
        return plan
    }

    private func variant(
        _ key: String,
        _ request: Request,
        _ left: Left?,
        isWanted: Bool
    ) -> SourcePlan.Variant {
        let version = left?.source.original?.version ?? left?.source.renderedVersion
        return SourcePlan.Variant(
            key: key,
            isAsked: key == request.key,
            isWanted: isWanted,
            due: due(left?.row, left?.source, version: version)
        )
    }

    private func known(_ request: Request, _ path: String) throws -> KnownVariants? {
        guard let state = try StateDatabase.looked(atCache: pipeline.cache) else { return nil }
        try state.check(owner: pipeline.name)
        return try state.snapshot {
            let source = try state.source(origin: request.origin, path: path, isOpaque: false)
            guard let source else { return nil }
            let listing = try state.listing()
            var known = KnownVariants(
                source: source,
                requests: try state.requests(ofSource: source.id, listing: listing)
            )
            for variant in try state.remoteVariants(of: source.id) {
                known.sources[variant.path] = variant
                known.variants += try state.variants(of: variant, listing: listing).map {
                    Left(source: variant, row: $0)
                }
            }
            for row in try state.variants(of: source, listing: listing) {
                var source = source
                // What was made here of the original is not what the origin makes.
                if row.directives != nil { source.original = nil; source.renderedVersion = nil }
                known.variants.append(Left(source: source, row: row))
            }
            return known
        }
    }
}
