internal import GearboxURL
internal import Store

/// The plan of a listing while it is made, on the state's thread.
struct ListingPlan {
    let context: RunContext
    let state: StateDatabase
    let listing: Int
    private(set) var tally = Tally()
    private let planner: VariantPlanner
    private let canonicalizer: Canonicalizer
    private let chains: SourceChains
    private let hadRemoteVariants: Bool

    init(context: RunContext, state: StateDatabase, listing: Int, hadRemoteVariants: Bool) {
        self.context = context
        self.state = state
        self.listing = listing
        self.hadRemoteVariants = hadRemoteVariants
        planner = VariantPlanner(context.pipeline)
        canonicalizer = Canonicalizer(rules: context.pipeline.rules)
        chains = SourceChains(context.pipeline)
    }

    /// Plans a source that a URL names.
    mutating func add(_ source: SourceRow) throws {
        tally.add("sources")
        let requests = try state.requests(ofSource: source.id, listing: listing)
        switch chains.rendering(ofOrigin: source.origin) {
        case .remote(let probes) where !source.isOpaque:
            try addRemote(
                source,
                planner.wanted(for: requests, isSigned: source.isSigned),
                probes: probes
            )
        default:
            try addLocal(source, source.isOpaque ? [nil] : planner.wanted(for: requests))
        }
    }

    /// Every variant is made of the source's bytes.
    private mutating func addLocal(_ source: SourceRow, _ wanted: [Directives?]) throws {
        var source = source
        if hadRemoteVariants { try state.takeRemoteVariants(of: &source) }
        for directives in wanted {
            guard let key = key(of: directives, source) else { continue }
            try want(key, directives, of: source, madeOf: source.id)
        }
        try checkFiles(of: source)
    }

    /// Every variant is fetched, and what there is already is asked for each night as long as the
    /// source is wanted: nothing else would tell that it has become another picture.
    private mutating func addRemote(
        _ source: SourceRow,
        _ wanted: [Directives?],
        probes: Bool
    ) throws {
        var isOriginalWanted = probes
        var remote: Set<Int> = []
        for directives in wanted {
            guard let key = key(of: directives, source) else { continue }
            var bytes = source.id
            if directives == nil {
                isOriginalWanted = true
            } else {
                bytes = try wantRemote(key, of: source)
                remote.insert(bytes)
            }
            try want(key, directives, of: source, madeOf: bytes)
        }
        for made in try state.made(of: source.id, listing: listing) where !made.isWanted {
            guard made.directives != nil else {
                isOriginalWanted = true
                continue
            }
            let bytes = try wantRemote(made.key, of: source)
            remote.insert(bytes)
            try state.setSource(bytes, ofKey: made.key, origin: source.originID)
        }
        if isOriginalWanted {
            try checkFiles(of: source)
        } else {
            try state.leaveOut(source: source.id)
        }
        for variant in try state.remoteVariants(of: source.id) where remote.contains(variant.id) {
            try checkFiles(of: variant)
        }
    }

    /// `nil` where the dialect has no name for the variant.
    private func key(of directives: Directives?, _ source: SourceRow) -> String? {
        canonicalizer.key(of: directives, source: source.path, origin: source.origin)
    }

    private func wantRemote(_ key: String, of source: SourceRow) throws -> Int {
        let url = source.url(forKey: key)
        return try state.wantRemote(key: key, url: url, of: source, listing: listing)
    }

    private func want(
        _ key: String,
        _ directives: Directives?,
        of source: SourceRow,
        madeOf bytes: Int
    ) throws {
        _ = try state.mark(
            .wanted,
            origin: source.originID,
            source: bytes,
            key: key,
            directives: directives,
            listing: listing
        )
    }

    /// Looks what is due of a source's bytes.
    ///
    /// Work is taken as done by existence and size of its file.
    private mutating func checkFiles(of source: SourceRow) throws {
        for variant in try state.variants(of: source, listing: listing) {
            var isLost = false
            if let file = variant.file, !context.store.holds(file.file, bytes: file.bytes) {
                isLost = true
                try state.forgetFile(ofVariant: variant.id)
                tally.add("files lost")
            }
            guard variant.isWanted else { continue }
            tally.add("variants")
            let changed = variant.dueReason(
                from: source.renderedVersion,
                of: source,
                with: context.pipeline.rendering
            )
            let refreshed: DueReason? = context.refreshes(source) ? .refreshed : nil
            guard let reason = isLost ? .fileLost : changed ?? refreshed else { continue }
            tally.add("due")
            tally.add("due \(reason.rawValue)")
        }
    }
}

extension SourceRow {
    /// A variant's URL: on the host that the source was first seen on.
    func url(forKey key: String) -> String {
        url.prefix { $0 != ":" } + "://" + host + key
    }

    /// Whether its URL holds more than its name: a signature, which is good for this URL alone.
    var isSigned: Bool { !isOpaque && !url.hasSuffix(path) }
}

extension VariantPlanner {
    /// The variants that an origin shall render: a signed URL gets none beside its own picture, as
    /// nobody here could sign theirs.
    func wanted(for requests: [Directives?], isSigned: Bool) -> [Directives?] {
        guard isSigned else { return wanted(for: requests) }
        let asked = wanted(for: requests.filter { $0 != nil })
        return requests.contains(nil) ? [nil] + asked : asked
    }
}
