internal import GearboxDatabase
internal import GearboxIndex
internal import Store
internal import System

/// The files that rows have stopped naming: removed as soon as no row names them again, nor the
/// published index, nor the one before it.
struct RetiredFiles {
    struct Swept: Sendable, Hashable {
        var files = 0
        var bytes = 0
        /// Those that an index still names.
        var waiting = 0
        /// Those that a row names again or still.
        var shared = 0
    }

    let context: RunContext
    private static let batch = 1_000

    /// Removes what may go where an index was published since that was last done, or where something
    /// must go at once.
    func sweepIfDue() async throws -> Swept {
        let isDue = try await context.state.run { state in
            try state.setting(.isSwept) == "0" || state.hasFilesToRemoveAtOnce()
        }
        return isDue ? try await sweep() : Swept()
    }

    /// Removes what may go.
    ///
    /// Called after the index that no longer names it is published: rows before files.
    ///
    /// - Parameter forced: whether the index before the published one does not count.
    /// - Returns: what went, and what did not.
    /// - Throws: where the published index cannot be read: nobody knows then what it names.
    func sweep(forced: Bool = false) async throws -> Swept {
        try await context.state.run { state in
            guard try state.hasRetiredFiles() else {
                try state.set(.isSwept, to: "1")
                return Swept()
            }
            var swept = Swept()
            swept.shared = try state.keepRetiredFilesOfRows()
            let earlier = try EarlierIndexes(cache: context.pipeline.cache).paths()
            for path in [PublishedIndex.path(context)] + earlier where Files.exists(path) {
                let isPublished = path == PublishedIndex.path(context)
                if forced && !isPublished { continue }
                // One that was published and cannot be read answers nobody.
                guard isPublished || state.canRead(index: path) else { continue }
                try state.keepRetiredFiles(ofIndex: path, alsoAtOnce: isPublished)
            }
            while true {
                try context.checkInterruption()
                let files = try state.freeRetiredFiles(limit: Self.batch)
                if files.isEmpty { break }
                for file in files where context.mayRemove(file) {
                    if let bytes = Files.size(of: context.store.path(of: file)) {
                        swept.files += 1
                        swept.bytes += bytes
                    }
                    try context.store.remove(file)
                }
                try state.transaction { try state.forgetFreeRetiredFiles(limit: Self.batch) }
            }
            swept.waiting = try state.endRetiredFiles()
            try state.set(.isSwept, to: "1")
            return swept
        }
    }
}

extension RunContext {
    /// Whether a name of the state is one that this program gives: nothing else is ever removed.
    func mayRemove(_ file: String) -> Bool { store.names(file) || originals.names(file) }
}
