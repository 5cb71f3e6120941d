internal import Store
internal import System

/// Files of the stores that neither the state names, nor the index, nor the one before it.
struct OrphanFiles {
    let context: RunContext

    /// Has the state know all files that are named.
    ///
    /// - Returns: what is wrong with the published index, whose names do not count then; `nil` where
    ///   nothing is.
    func nameAll() async throws -> String? {
        let index = PublishedIndex.path(context)
        let earlier = try EarlierIndexes(cache: context.pipeline.cache).paths()
        return try await context.state.run { state in
            let fault = try state.faultOfIndex(index)
            try state.nameFiles(
                published: fault == nil && Files.exists(index) ? index : nil,
                earlier: earlier
            )
            return fault
        }
    }

    /// Visits what is not named, folder by folder.
    func forEachFolder(_ body: ([String]) async throws -> Void) async throws {
        for store in [context.store, context.originals] {
            for folder in try store.folders() {
                try context.checkInterruption()
                let files = try store.files(in: folder)
                let named = try await context.state.run {
                    try $0.names(in: "\(store.folder)/\(folder)")
                }
                let orphans = files.filter { !named.contains($0) }
                if !orphans.isEmpty { try await body(orphans) }
            }
        }
    }

    /// Removes what an earlier run has made and not written down, as it was killed, its disk broke or
    /// its state was lost, and what the runs since have not made, too.
    ///
    /// Called when an index is published: what it names stays.
    ///
    /// - Returns: how many files.
    func sweepIfDue() async throws -> Int {
        guard try await context.state.run({ try $0.setting(.isOrphaned) }) == "1",
            try await nameAll() == nil
        else { return 0 }
        var count = 0
        try await forEachFolder { files in
            for file in files where context.mayRemove(file) {
                try context.store.remove(file)
                count += 1
            }
        }
        try await context.state.run { try $0.set(.isOrphaned, to: "0") }
        return count
    }
}
