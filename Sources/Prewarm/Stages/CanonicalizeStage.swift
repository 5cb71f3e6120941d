internal import GearboxURL
internal import System

/// Lines into requests: the sources that are wanted, and the variants that URLs ask for.
struct CanonicalizeStage {
    let context: RunContext
    private static let batch = 5_000
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
            var work = Work(
                state: state,
                canonicalizer: Canonicalizer(rules: context.pipeline.rules),
                aliases: context.pipeline.aliases,
                listing: try state.listing(),
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
            try state.set(.canonicalizedListing, to: String(work.listing))
            return work.tally
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
            let source = try state.want(
                origin: origin,
                path: request.source ?? request.key,
                isOpaque: request.source == nil,
                url: request.fetchURL,
                host: Self.host(of: request.fetchURL),
                hash: entry.hash,
                hits: entry.hits,
                listing: listing,
                night: night,
                at: now
            )
            if let hash = entry.hash, let first = source.hash, first != hash {
                tally.add("other hashes")
                return try state.setProblem(
                    "hash-conflict",
                    "its hash is \(hash), but an earlier line says \(first) of the same image",
                    ofEntry: entry.id
                )
            }
            let variant = try state.mark(
                .requested,
                origin: origin,
                source: source.id,
                key: request.key,
                directives: request.directives,
                listing: listing
            )
            try state.setVariant(variant, ofEntry: entry.id)
            // A signed URL's raw key holds its signature, which has no place in a published file.
            if aliases, request.requestClass != .signed, request.rawKey != request.key {
                try state.setAlias(origin: origin, key: request.rawKey, variant: variant)
            }
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
