internal import GearboxURL
internal import System

/// Lines into requests: the sources that are wanted, and the variants that URLs ask for.
struct CanonicalizeStage {
    let context: RunContext
    private static let batch = 10_000
    /// So many distinct names of unknown parameters are counted; what comes later is one number.
    private static let parameterNames = 1_000

    func run() async throws -> Tally {
        try await context.state.run { state in
            guard try state.setting(.isIngested) == "1" else {
                throw StateError(
                    path: context.pipeline.cache,
                    message: "no manifest has been ingested whole; run the stage ingest first"
                )
            }
            let listing = try state.listing()
            let inputs = StageInputs(context)?.ofListing(listing)
            if let kept = try state.keptTally(of: .canonicalize, inputs: inputs) {
                try seeAgain(listing, state)
                return kept
            }
            var work = Work(
                state: state,
                canonicalizer: Canonicalizer(rules: context.pipeline.rules),
                aliases: context.pipeline.aliases,
                listing: listing,
                night: try state.night()
            )
            try state.transaction {
                try state.clearCanonicalisation(of: work.listing)
                for origin in context.pipeline.origins { _ = try work.origin(origin.name) }
            }
            var last = 0
            while true {
                try context.checkInterruption()
                let entries = try state.entries(after: last, limit: Self.batch)
                guard let end = entries.last?.id else { break }
                try state.transaction {
                    for entry in entries { try work.canonicalize(entry) }
                }
                context.progress.update { $0.done += entries.count }
                last = end
            }
            try state.setDone(.canonicalize, inputs: inputs, run: context.run)
            return work.tally
        }
    }

    private func seeAgain(_ listing: Int, _ state: StateDatabase) throws {
        let (night, end) = (try state.night(), try state.lastSource())
        let now = Int(WallTime.now().secondsSince1970)
        for last in stride(from: 0, to: end, by: Self.batch) {
            try context.checkInterruption()
            try state.transaction {
                try state.seeAgain(
                    listing: listing,
                    night: night,
                    at: now,
                    after: last,
                    through: last + Self.batch
                )
            }
        }
    }

    /// What lives as long as the stage, on the state's thread.
    private struct Work {
        let state: StateDatabase
        let canonicalizer: Canonicalizer
        let aliases: Bool
        let listing: Int
        let night: Int
        private let now = Int(WallTime.now().secondsSince1970)
        var tally = Tally()
        private var origins: [String: Int] = [:]
        private var parameters: Set<String> = []
        private var forms: KnownForms
        private var seen = SeenSources()

        init(
            state: StateDatabase,
            canonicalizer: Canonicalizer,
            aliases: Bool,
            listing: Int,
            night: Int
        ) {
            self.state = state
            self.canonicalizer = canonicalizer
            self.aliases = aliases
            self.listing = listing
            self.night = night
            forms = KnownForms(state)
        }

        mutating func origin(_ name: String) throws -> Int {
            if let known = origins[name] { return known }
            let id = try state.originID(name)
            origins[name] = id
            return id
        }

        mutating func canonicalize(_ entry: EntryRow) throws {
            let request: Request
            do {
                request = try canonicalizer.request(for: entry.url)
            } catch {
                tally.add("refused")
                return try state.setProblem(error.code.rawValue, error.message, ofEntry: entry.id)
            }
            tally.add(request.requestClass.rawValue)
            count(request.unknownNames)
            let origin = try origin(request.origin)
            let path = request.source ?? request.key
            guard let source = try want(request, path, origin, entry) else { return }
            let form = try forms.id(of: request.key, request.directives, path: path)
            // A signed URL's raw key holds its signature, which has no place in a published file.
            let hasAlias =
                aliases && request.requestClass != .signed && request.rawKey != request.key
            try state.insertRequest(
                entry: entry,
                source: source,
                form: form,
                aliasForm: hasAlias ? try forms.aliasID(of: request.rawKey, path: path) : nil
            )
        }

        /// - Returns: the source's row; `nil` where the entry contradicts an earlier one.
        private mutating func want(
            _ request: Request,
            _ path: String,
            _ origin: Int,
            _ entry: EntryRow
        ) throws -> Int? {
            let name = SourceName(
                origin: origin,
                path: path,
                kind: request.source == nil ? .opaque : .simple
            )
            let key = SeenSources.Key(name)
            if entry.hash == nil, let known = seen[key] { return known }
            let source = try state.want(
                name,
                url: request.fetchURL,
                host: Self.host(of: request.fetchURL),
                hash: entry.hash,
                listing: listing,
                night: night,
                at: now
            )
            seen.insert(key, row: source.id)
            if let hash = entry.hash, let first = source.hash, first != hash {
                tally.add("other hashes")
                try state.setProblem(
                    "hash-conflict",
                    "its hash is \(hash), but an earlier line says \(first) of the same image",
                    ofEntry: entry.id
                )
                return nil
            }
            return source.id
        }

        /// With its port.
        private static func host(of url: String) -> String {
            let bytes = url.utf8
            guard let slash = bytes.firstIndex(of: UInt8(ascii: "/")) else { return "" }
            let rest = bytes[slash...].dropFirst(2)
            return String(
                Substring(rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") })
            )
        }

        private mutating func count(_ names: [String]) {
            for name in names {
                if parameters.count >= CanonicalizeStage.parameterNames,
                    !parameters.contains(name)
                {
                    tally.add("parameter ...")
                } else {
                    parameters.insert(name)
                    tally.add("parameter \(name)")
                }
            }
        }
    }
}
