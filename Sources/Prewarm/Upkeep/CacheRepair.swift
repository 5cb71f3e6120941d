internal import Store
internal import System

/// Makes what a verification has found wrong due again, and removes what nobody needs: rows before
/// files.
struct CacheRepair {
    let context: RunContext

    func run(_ found: inout Verification) async throws {
        var repair = Verification.Repair()
        guard !found.isClean else {
            found.repair = repair
            return
        }
        let named = try await context.state.run { try $0.countNamedVariants() }
        try await context.checkThatStoreIsThere(naming: named)
        if try named == 0 && !context.store.folders().isEmpty {
            throw context.storeIsUnusable(Self.nothingIsNamed)
        }
        let isIndexFaulty = found.findings[.index] != nil
        repair.dueVariants = try await context.state.transaction { state in
            let count = try state.forgetFaultyFiles()
            if isIndexFaulty { try state.noteChange() }
            return count
        }
        // No index may name a file that is about to go.
        if try await context.publish() {
            repair.generation = PublishedIndex.summary(context)?.generation
        }
        try await removeFiles(&repair)
        try context.store.sweepTemporaryFiles()
        found.repair = repair
    }

    /// Everything would be an orphan.
    private static let nothingIsNamed =
        "neither the state nor an index names any file; nothing was changed: gearbox run first, or"
        + " remove the directory"

    private func removeFiles(_ repair: inout Verification.Repair) async throws {
        let batch = 1_000
        while true {
            try context.checkInterruption()
            let files = try await context.state.run { try $0.filesToRemove(limit: batch) }
            if files.isEmpty { return }
            for file in files {
                if let bytes = Files.size(of: context.store.path(of: file)) {
                    repair.removedFiles += 1
                    repair.removedBytes += bytes
                }
                try context.store.remove(file)
            }
            try await context.state.transaction { try $0.forgetRemovedFiles(limit: batch) }
        }
    }
}

extension RunContext {
    /// Throws where files are named and the store is empty: that is a disk that is not there, sooner
    /// than a store that somebody has emptied.
    ///
    /// - Parameter named: how many; asked of the state if not given.
    /// - Throws: what says so.
    func checkThatStoreIsThere(naming named: Int? = nil) async throws {
        guard try store.folders().isEmpty else { return }
        let made = try await state.run { try named ?? $0.countMadeFiles() }
        guard made > 0 else { return }
        throw storeIsUnusable(
            "none of the \(made) files is there; nothing was changed: is its disk mounted? To have"
                + " all made anew, remove state.sqlite and index.sqlite, too"
        )
    }

    func storeIsUnusable(_ message: String) -> StoreError {
        StoreError(
            code: .unusable,
            subject: "\(pipeline.cache)/\(store.folder)",
            message: message
        )
    }
}
