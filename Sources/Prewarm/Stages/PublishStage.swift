internal import GearboxDatabase
internal import GearboxIndex
internal import System

/// The next index in the last one's place: by one rename, so that a reader has the old one or the
/// new one, each whole.
struct PublishStage {
    let context: RunContext

    func run() async throws -> Tally {
        // What was rendered or evicted since is missing in a draft, and its files may be gone.
        if Files.exists(PublishedIndex.draftPath(context)),
            try await context.state.run({ try $0.setting(.isDrafted) }) != "1"
        {
            _ = try await IndexStage(context: context).run()
        }
        return try await context.state.run { state in
            var tally = Tally()
            let draftPath = PublishedIndex.draftPath(context)
            guard Files.exists(draftPath) else {
                tally.add("unchanged")
                return tally
            }
            let draft = try Database(path: draftPath, access: .readOnly)
            let meta = try IndexMeta(from: draft)
            let next = PublishedIndex.temporaryPath(context)
            if Files.exists(next) { try Files.remove(next) }
            try draft.run("VACUUM INTO ?1", .text(next))
            WritePoint.indexWritten.pass()
            try Files.syncFile(next)
            try EarlierIndexes(cache: context.pipeline.cache).keepPublished()
            try Files.rename(next, to: PublishedIndex.path(context))
            WritePoint.indexNamed.pass()
            try Files.syncDirectory(context.pipeline.cache)
            try note(meta, state)
            tally.add("published")
            return tally
        }
    }

    /// Finishes what a process that has ended had published and not noted, so that it is not published
    /// again under another number.
    func settle() async throws {
        try await context.state.run { state in
            let draftPath = PublishedIndex.draftPath(context)
            guard Files.exists(draftPath),
                let draft = try? Database(path: draftPath, access: .readOnly),
                let meta = try? IndexMeta(from: draft),
                let published = try? IndexReader(path: PublishedIndex.path(context)).meta,
                published.generation == meta.generation, published.builtAt == meta.builtAt
            else { return }
            try note(meta, state)
        }
    }

    private func note(_ meta: IndexMeta, _ state: StateDatabase) throws {
        try EarlierIndexes(cache: context.pipeline.cache).removeAll(butLastBefore: meta.generation)
        try state.transaction {
            try state.set(.generation, to: String(meta.generation))
            try state.set(.publishedMeta, to: PublishedIndex.fingerprint(meta, context))
            try state.set(.isPublished, to: "1")
            try state.set(.isDrafted, to: "0")
            try state.set(.isSwept, to: "0")
        }
        try Files.remove(PublishedIndex.draftPath(context))
    }
}
