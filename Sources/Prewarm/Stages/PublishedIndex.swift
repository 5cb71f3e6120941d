internal import GearboxDatabase
internal import GearboxIndex
internal import Rendering
internal import System

/// The published index of a cache directory, as the stages that replace it see it.
enum PublishedIndex {
    static func path(_ context: RunContext) -> String { "\(context.pipeline.cache)/index.sqlite" }

    /// The next index, whole, between the stages index and publish.
    static func draftPath(_ context: RunContext) -> String {
        "\(context.pipeline.cache)/index-draft.sqlite"
    }

    /// A file of this name is swept away when a run starts.
    static func temporaryPath(_ context: RunContext) -> String {
        "\(context.pipeline.cache)/tmp/index.sqlite"
    }

    /// What the next index would say of itself.
    static func nextMeta(_ context: RunContext, _ state: StateDatabase) throws -> IndexMeta {
        let known = Int(try state.setting(.generation) ?? "") ?? 0
        // A state that was made anew goes on counting where the index is.
        let published = (try? IndexReader(path: path(context)))?.meta.generation ?? 0
        return IndexMeta(
            rules: context.pipeline.rules,
            steps: context.pipeline.rendering.steps.text,
            generation: max(known, published) + 1,
            builtAt: WallTime.now().description,
            version: gearboxVersion
        )
    }

    /// Whether the published index already says what the next one would.
    static func isCurrent(
        _ context: RunContext,
        _ state: StateDatabase,
        _ meta: IndexMeta
    ) throws -> Bool {
        guard try state.setting(.isPublished) == "1",
            try state.setting(.publishedMeta) == fingerprint(meta, context)
        else { return false }
        let published = try? IndexReader(path: path(context))
        return published?.meta.generation == meta.generation - 1
    }

    /// What is published now; `nil` where nothing is.
    static func summary(_ context: RunContext) -> RunReport.Index? {
        guard let database = try? Database(path: path(context), access: .immutable),
            (try? IndexSchema.check(database)) != nil,
            let meta = try? IndexMeta(from: database),
            let counts = try? IndexSchema.counts(in: database)
        else { return nil }
        return RunReport.Index(
            path: path(context),
            generation: meta.generation,
            sources: counts.sources,
            variants: counts.variants
        )
    }

    /// Whether a source is published, or an opaque URL, by its key.
    static func has(_ key: String, ofOrigin origin: String, _ context: RunContext) throws -> Bool {
        guard Files.exists(path(context)) else { return false }
        let database = try Database(path: path(context), access: .immutable)
        try IndexSchema.check(database)
        let isThere = try database.first(selectKey, .text(key), .text(origin)) { $0.flag(0) }
        return isThere ?? false
    }

    private static let selectKey = """
        SELECT EXISTS (SELECT 1 FROM source WHERE path = ?1 AND origin_id = origin.id)
            OR EXISTS (SELECT 1 FROM variant WHERE key = ?1 AND origin_id = origin.id)
        FROM origin WHERE name = ?2
        """

    /// What makes another index beside its rows: the meta without its number and date, what the
    /// pipeline has of it, and the shape.
    static func fingerprint(_ meta: IndexMeta, _ context: RunContext) -> String {
        var meta = meta
        meta.generation = 0
        meta.builtAt = ""
        let unprobed = context.pipeline.origins.filter { $0.rendering == .remote(probes: false) }
        return "\(meta) aliases=\(context.pipeline.aliases) unprobed=\(unprobed.map(\.name))\n"
            + IndexSchema.definition + IndexSchema.resolveQuery
    }
}

/// The version of this program, as the index and `--version` say it.
package let gearboxVersion = "0.1.0"
