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
    private let rulesSince: Int
    private var forms: KnownForms
    private var expansions: [Expansion: [Int]] = [:]
    private static let mostExpansions = 4_096

    /// What a form is expanded to, of sources whose paths say nothing of their variants' keys.
    private struct Expansion: Hashable {
        var form: Int
        var origin: Int
        var isOpaque: Bool
    }

    /// A variant that a source shall have.
    private struct Wanted {
        var form: Int
        /// The source whose bytes it is made of.
        var bytes: Int
    }

    init(
        context: RunContext,
        state: StateDatabase,
        listing: Int,
        hadRemoteVariants: Bool,
        rulesSince: Int
    ) {
        self.context = context
        self.state = state
        self.listing = listing
        self.hadRemoteVariants = hadRemoteVariants
        self.rulesSince = rulesSince
        planner = VariantPlanner(context.pipeline)
        canonicalizer = Canonicalizer(rules: context.pipeline.rules)
        chains = SourceChains(context.pipeline)
        forms = KnownForms(state)
    }

    /// Plans sources that URLs name, in the order of their rows.
    mutating func add(_ asked: [AskedSource]) throws {
        guard let first = asked.first, let last = asked.last else { return }
        let rows = try state.sources(listing: listing, from: first.id, through: last.id)
        guard rows.map(\.id) == asked.map(\.id) else {
            throw StateDamage(message: "a line names a source that is not of its listing")
        }
        var isNew = false
        for (source, asked) in zip(rows, asked) {
            tally.add("sources")
            try state.setHits(asked.requests.reduce(0) { $0 + $1.hits }, ofSource: source.id)
            let areNew =
                switch chains.rendering(ofOrigin: source.origin) {
                case .remote(let probes) where !source.isOpaque:
                    try addRemote(source, asked, probes: probes)
                default: try addLocal(source, asked)
                }
            isNew = areNew || isNew
        }
        if isNew { try state.noteChange() }
    }

    /// Every variant is made of the source's bytes.
    ///
    /// - Returns: whether an alias is new.
    private mutating func addLocal(_ source: SourceRow, _ asked: AskedSource) throws -> Bool {
        var source = source
        if hadRemoteVariants { try state.takeRemoteVariants(of: &source) }
        let known = try state.plannedVariants(ofSource: source.id, withRemote: false)
        let wanted = try wantedForms(of: source, asked).map { Wanted(form: $0, bytes: source.id) }
        return try mark(wanted, asked, known)
    }

    /// Every variant is fetched, and what there is already is asked for each night as long as the
    /// source is wanted: nothing else would tell that it has become another picture.
    ///
    /// - Returns: whether an alias is new.
    private mutating func addRemote(
        _ source: SourceRow,
        _ asked: AskedSource,
        probes: Bool
    ) throws -> Bool {
        var isOriginalWanted = probes
        let known = try state.plannedVariants(ofSource: source.id, withRemote: true)
        let requests = try Self.distinctForms(asked).map { try state.directives(ofForm: $0) }
        var wanted: [Wanted] = []
        for directives in planner.wanted(for: requests, isSigned: source.isSigned) {
            guard let key = key(of: directives, source) else { continue }
            var bytes = source.id
            if directives == nil {
                isOriginalWanted = true
            } else {
                bytes = try wantRemote(key, of: source)
            }
            let form = try forms.id(of: key, directives, path: source.path)
            wanted.append(Wanted(form: form, bytes: bytes))
        }
        let areNew = try mark(wanted, asked, known)
        for made in try state.made(of: source.id, listing: listing) where !made.isWanted {
            guard made.directives != nil else {
                isOriginalWanted = true
                continue
            }
            try state.setSource(wantRemote(made.key, of: source), ofVariant: made.id)
        }
        if !isOriginalWanted { try state.leaveOut(source: source.id) }
        return areNew
    }

    /// The forms of the variants to make, in the order of the requests.
    private mutating func wantedForms(of source: SourceRow, _ asked: AskedSource) throws -> [Int] {
        // A path with a parameter is part of the key in its own way.
        let isPlain = source.isOpaque || !source.path.utf8.contains(UInt8(ascii: "?"))
        var wanted: [Int] = []
        for form in Self.distinctForms(asked) {
            let name = Expansion(
                form: form,
                origin: source.originID,
                isOpaque: source.isOpaque
            )
            var forms = isPlain ? expansions[name] : nil
            if forms == nil {
                forms = try expanded(form, of: source)
                if isPlain && expansions.count < Self.mostExpansions { expansions[name] = forms }
            }
            for form in forms ?? [] where !wanted.contains(form) { wanted.append(form) }
        }
        return wanted
    }

    private mutating func expanded(_ form: Int, of source: SourceRow) throws -> [Int] {
        let request = try state.directives(ofForm: form)
        let wanted = source.isOpaque ? [nil] : planner.wanted(for: [request])
        return try wanted.compactMap { directives in
            guard let key = key(of: directives, source) else { return nil }
            return try forms.id(of: key, directives, path: source.path)
        }
    }

    private static func distinctForms(_ asked: AskedSource) -> [Int] {
        var forms: [Int] = []
        for request in asked.requests where !forms.contains(request.form) {
            forms.append(request.form)
        }
        return forms
    }

    /// Makes the variants' rows where they are new, and marks them as wanted and as asked for.
    ///
    /// `known` are the rows that there are.
    ///
    /// - Returns: whether an alias is new.
    private func mark(
        _ wanted: [Wanted],
        _ asked: AskedSource,
        _ known: [PlannedVariant]
    ) throws -> Bool {
        var lines: [Int: VariantLines] = [:]
        for request in asked.requests {
            lines[request.form, default: VariantLines()].add(request.lines)
        }
        let old = Dictionary(known.map { ($0.form, $0) }) { first, _ in first }
        var ids: [Int: Int] = [:]
        for wanted in wanted {
            let new = PlannedVariant(
                id: 0,
                form: wanted.form,
                source: wanted.bytes,
                requested: 0,
                wanted: listing
            )
            ids[wanted.form] = try write(new, old[wanted.form], lines[wanted.form])
        }
        // What the pipeline does not make is noted, too: reuse may serve it.
        for form in Self.distinctForms(asked) where ids[form] == nil {
            let new = PlannedVariant(
                id: 0,
                form: form,
                source: old[form]?.source ?? asked.id,
                requested: listing,
                wanted: 0
            )
            ids[form] = try write(new, old[form], lines[form])
        }
        let requests = asked.requests.filter { $0.aliasForm != nil }
        let aliases =
            requests.isEmpty || known.isEmpty
            ? [:] : try state.aliases(ofSource: asked.id, since: rulesSince)
        var areNew = false
        for request in requests {
            guard let aliasForm = request.aliasForm, let variant = ids[request.form],
                aliases[aliasForm] != variant
            else { continue }
            let isNew = try state.setAlias(
                source: asked.id,
                aliasForm: aliasForm,
                variant: variant,
                since: rulesSince
            )
            areNew = isNew || areNew
        }
        return areNew
    }

    /// - Returns: the variant's row.
    private func write(
        _ variant: PlannedVariant,
        _ old: PlannedVariant?,
        _ lines: VariantLines?
    ) throws -> Int {
        var variant = variant
        if lines != nil { variant.requested = listing }
        guard let old else { return try state.insert(variant, lines ?? VariantLines()) }
        variant.id = old.id
        if lines == nil { variant.requested = old.requested }
        if variant.wanted == 0 { variant.wanted = old.wanted }
        try state.update(variant, lines ?? VariantLines())
        if variant.source != old.source { try state.setSource(variant.source, ofVariant: old.id) }
        return old.id
    }

    /// `nil` where the dialect has no name for the variant.
    private func key(of directives: Directives?, _ source: SourceRow) -> String? {
        canonicalizer.key(of: directives, source: source.path, origin: source.origin)
    }

    private func wantRemote(_ key: String, of source: SourceRow) throws -> Int {
        let url = source.url(forKey: key)
        return try state.wantRemote(key: key, url: url, of: source, listing: listing)
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
