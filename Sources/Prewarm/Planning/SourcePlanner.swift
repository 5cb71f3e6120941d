internal import Digest
internal import Fetching
package import GearboxURL
internal import Rendering
internal import Store
internal import System

/// Plans one URL as a run would, from what the cache directory and the mirrors hold.
///
/// It only looks: nothing is fetched, nothing is written, and a run may be at work meanwhile.
package struct SourcePlanner {
    let pipeline: Pipeline
    let canonicalizer: Canonicalizer
    let chains: SourceChains
    let store: Store
    private let originals: Store
    private let probe: OriginalProbe

    /// - Parameters:
    ///   - pipeline: says how.
    ///   - program: the file of gearbox, whose workers read originals' headers; `nil` for this
    ///     process's.
    package init(_ pipeline: Pipeline, program: String? = nil) {
        probe = OriginalProbe(
            program: program ?? RunContext.thisProgram,
            settings: pipeline.rendering
        )
        self.pipeline = pipeline
        canonicalizer = Canonicalizer(rules: pipeline.rules)
        chains = SourceChains(pipeline)
        store = Store(lookingAt: pipeline.cache)
        originals = Store(lookingAt: pipeline.cache, folder: "originals")
    }

    /// Plans a URL.
    ///
    /// - Parameters:
    ///   - url: the URL.
    ///   - size: the source's size where its original is not held.
    /// - Returns: the plan.
    /// - Throws: `RequestError` for what is no URL; what ends a run, such as a broken state.
    package func plan(_ url: String, supposing size: Size? = nil) throws -> SourcePlan {
        let request = try canonicalizer.request(for: url)
        if request.source != nil,
            case .remote(let probes) = chains.rendering(ofOrigin: request.origin)
        {
            return try remotePlan(of: request, probes: probes)
        }
        let known = try knownSource(of: request)
        let (lookups, found) = try lookedUp(request, known?.source)
        var original = found
        if original == nil, let size {
            precondition(size.width > 0 && size.height > 0, "a picture has a size")
            original = SourcePlan.Original(holding: .supposed, format: Self.format(of: request))
        }
        let (variants, wanted) = variants(of: request, known, version: original?.version)
        var plan = SourcePlan(
            request: request,
            steps: pipeline.rendering.steps.text,
            lookups: lookups,
            original: original,
            variants: variants
        )
        guard let original else {
            plan.problem = lookups.isEmpty ? .notMirrored : settledProblem(known)
            return plan
        }
        if let refusal = original.refusal {
            plan.problem = refusal
            return plan
        }
        do {
            let facts = try facts(of: original, supposing: size)
            plan.rendering = RenderPlan(
                facts: facts,
                wanted: wanted,
                settings: pipeline.rendering
            )
        } catch let error as RenderError where !error.endsRun {
            plan.problem = SourcePlan.Problem(code: error.code.rawValue, message: error.message)
        }
        let full = RenderFingerprint.full(pipeline.rendering)
        if plan.problem == nil, let source = known?.source, let version = original.version,
            source.failedWork == "\(version) \(full)"
        {
            plan.problem = SourcePlan.Problem(
                code: source.failureCode ?? "",
                message: source.failure ?? ""
            )
        }
        return plan
    }

    private func settledProblem(_ known: Known?) -> SourcePlan.Problem? {
        settledProblem(known?.source)
    }

    /// Why nobody would be asked for the original.
    func settledProblem(_ source: SourceRow?) -> SourcePlan.Problem? {
        source?.settledFailure(
            pipeline.fetching,
            now: Int(WallTime.now().secondsSince1970)
        ).map { SourcePlan.Problem(code: $0.code, message: $0.message) }
    }

    // MARK: What the state knows

    private struct Known {
        let source: SourceRow
        let variants: [VariantRow]
        /// What the last listing's URLs ask of it.
        let requests: [Directives?]
    }

    private func knownSource(of request: Request) throws -> Known? {
        guard let state = try StateDatabase.looked(atCache: pipeline.cache) else { return nil }
        try state.check(owner: pipeline.name)
        return try state.snapshot {
            let source = try state.source(
                origin: request.origin,
                path: request.source ?? request.key,
                isOpaque: request.source == nil
            )
            guard let source else { return nil }
            let listing = try state.listing()
            return Known(
                source: source,
                variants: try state.variants(of: source, listing: listing),
                requests: try state.requests(ofSource: source.id, listing: listing)
            )
        }
    }

    // MARK: Where the original is

    func lookedUp(
        _ request: Request,
        _ source: SourceRow?
    ) throws -> ([SourcePlan.Lookup], SourcePlan.Original?) {
        let isOpaque = request.source == nil
        let path = request.source ?? request.key
        let kept = source?.original.flatMap { original in
            originals.holds(original.file, bytes: original.bytes) ? original : nil
        }
        var original: SourcePlan.Original?
        var lookups: [SourcePlan.Lookup] = []
        for source in chains.sources(ofOrigin: request.origin, isOpaque: isOpaque) {
            switch source {
            case .mirror(let directory):
                let name = MirrorPath.decoded(path)
                var lookup = SourcePlan.Lookup(
                    place: directory + (name ?? path),
                    finding: original == nil ? .notThere : .notReached
                )
                if original == nil, let name, let file = try? OutsideFile(name, in: directory) {
                    lookup.finding = .there
                    let isKept = kept?.validators.fileStamp == file.stamp
                    original = try isKept ? kept.map(keptOriginal) : mirrored(file)
                }
                lookups.append(lookup)
            case .http:
                lookups.append(
                    SourcePlan.Lookup(
                        place: request.fetchURL,
                        others: chains.otherHosts(
                            ofOrigin: request.origin,
                            url: request.fetchURL,
                            path: path,
                            isOpaque: isOpaque
                        ),
                        finding: original == nil ? .notAsked : .notReached
                    )
                )
                // What it would answer nobody knows; most likely that nothing has changed.
                if original == nil { original = kept.map(keptOriginal) }
            }
        }
        return (lookups, original)
    }

    private func keptOriginal(_ original: SourceRow.Original) -> SourcePlan.Original {
        SourcePlan.Original(
            holding: .kept,
            path: originals.path(of: original.file),
            version: original.version,
            format: FileFormat(rawValue: original.format) ?? .unknown
        )
    }

    private func mirrored(_ file: borrowing OutsideFile) throws -> SourcePlan.Original {
        let limit = pipeline.rendering.limits.bytes
        let isTooLarge = file.bytes > limit
        var head = [UInt8](repeating: 0, count: isTooLarge ? FileFormat.headLength : file.bytes + 1)
        var count = 0
        let reader = try FileReader(file.path)
        while count < head.count {
            let got = try reader.read(into: &head, from: count)
            if got == 0 { break }
            count += got
        }
        let bytes = head.span.extracting(..<count)
        // As fetching it does: by no more bytes than a run looks at.
        let start = Array(head[..<min(count, FileFormat.headLength)])
        let refusal =
            isTooLarge
            ? BodyCheck.tooLarge(file.path, bytes: file.bytes, most: limit)
            : BodyCheck(formats: pipeline.rendering.loaders)
                .refusal(ofMirrored: file.path, head: start, bytes: count)
        return SourcePlan.Original(
            holding: .mirrored,
            path: file.path,
            version: isTooLarge ? nil : try ContentDigest(of: bytes, .sha256).hex,
            format: FileFormat.sniff(start.span),
            refusal: refusal.map {
                SourcePlan.Problem(code: $0.code.rawValue, message: $0.message)
            }
        )
    }

    // MARK: What is made of it

    private func facts(
        of original: SourcePlan.Original,
        supposing size: Size?
    ) throws -> SourceFacts {
        guard let path = original.path else {
            return SourceFacts(format: original.format, size: size ?? .zero)
        }
        return try probe.facts(of: path, format: original.format)
    }

    /// The variants of the source, and those of them that a run's rendering would be planned for.
    private func variants(
        of request: Request,
        _ known: Known?,
        version: String?
    ) -> (all: [SourcePlan.Variant], wanted: [WantedVariant]) {
        let path = request.source ?? request.key
        let asked = (known?.requests ?? []) + [request.directives]
        let directives =
            request.source == nil ? [nil] : VariantPlanner(pipeline).wanted(for: asked)
        var rows = Dictionary((known?.variants ?? []).map { ($0.key, $0) }) { first, _ in first }
        var all: [SourcePlan.Variant] = []
        var wanted: [WantedVariant] = []
        for directives in directives {
            let key = canonicalizer.key(of: directives, source: path, origin: request.origin)
            guard let key else { continue }
            let row = rows.removeValue(forKey: key)
            wanted.append(WantedVariant(key: key, directives: directives))
            all.append(
                SourcePlan.Variant(
                    key: key,
                    isAsked: key == request.key,
                    isWanted: true,
                    due: due(row, known?.source, version: version)
                )
            )
        }
        guard let source = known?.source else { return (all, wanted) }
        for row in known?.variants ?? [] where rows[row.key] != nil && row.file != nil {
            let isRemade =
                version.map { $0 != source.renderedVersion } ?? false
                || !row.fits(pipeline.rendering)
            if isRemade { wanted.append(WantedVariant(key: row.key, directives: row.directives)) }
            all.append(
                SourcePlan.Variant(
                    key: row.key,
                    isAsked: row.key == request.key,
                    isWanted: isRemade,
                    due: isRemade ? due(row, source, version: version) : nil
                )
            )
        }
        return (all, wanted)
    }

    func due(
        _ row: VariantRow?,
        _ source: SourceRow?,
        version: String?
    ) -> DueReason? {
        guard let row, let source, let file = row.file else { return .new }
        if !store.holds(file.file, bytes: file.bytes) { return .fileLost }
        return row.dueReason(
            from: version ?? source.renderedVersion,
            of: source,
            with: pipeline.rendering
        )
    }

    /// What the path says: the true format is in bytes that nobody has.
    private static func format(of request: Request) -> FileFormat {
        let path = (request.source ?? request.key).prefix { $0 != "?" }
        let name = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        switch name {
        case "png": return .png
        case "webp": return .webp
        case "gif": return .gif
        case "tif", "tiff": return .tiff
        case "heic", "heif": return .heif
        case "avif": return .avif
        default: return .jpeg
        }
    }
}

extension SourcePlan.Problem {
    fileprivate static let notMirrored = SourcePlan.Problem(
        code: "not-mirrored",
        message: "its URL asks for more than a mirror can do; put \"http\" behind the mirror"
    )
}
