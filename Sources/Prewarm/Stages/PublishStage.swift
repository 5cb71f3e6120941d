internal import GearboxDatabase
internal import GearboxIndex
internal import System

/// The next index in the last one's place: by one rename, so that a reader has the old one or the
/// new one, each whole.
struct PublishStage {
    let context: RunContext

    func run() async throws -> Tally {
        try await context.state.run { state in
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
            let earlier = EarlierIndexes(cache: context.pipeline.cache)
            let kept = try earlier.keepPublished()
            try Files.rename(next, to: PublishedIndex.path(context))
            WritePoint.indexNamed.pass()
            try Files.syncDirectory(context.pipeline.cache)
            try earlier.removeAll(but: kept)
            try state.transaction {
                try state.set(.generation, to: String(meta.generation))
                try state.set(.publishedMeta, to: PublishedIndex.fingerprint(meta, context))
                try state.set(.isPublished, to: "1")
            }
            try Files.remove(draftPath)
            tally.add("published")
            return tally
        }
    }
}
