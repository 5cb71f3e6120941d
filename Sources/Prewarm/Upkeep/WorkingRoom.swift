internal import GearboxDatabase
internal import Store
internal import System

/// Room for an eviction to work in: before a file may go, rows and an index without it have to be
/// written, and on a full disk nothing can be.
///
/// Only the holder of the lock may make it, before the state is opened: that takes room, too.
struct WorkingRoom {
    /// What went for it.
    struct Made: Sendable {
        var originals = 0
        var originalBytes = 0
        /// Files that wait to be removed, and those of variants that the eviction takes anyway.
        var files = 0
        var bytes = 0
    }

    let cache: String
    private static let leastBytes = 512 << 10
    private static let mostStateBytes = 64 << 20

    /// Whether there is too little room, and that was why something failed.
    func isLacking(after error: any Error) throws -> Bool {
        let isFull =
            switch error {
            case let error as DatabaseError: error.code == .diskFull
            case let error as StoreError: error.code == .diskFull
            case let error as SystemError: error.code == .diskFull
            default: false
            }
        return try isFull && isLacking()
    }

    /// Removes, as many as it takes, what only waits to be removed, then originals, which are fetched
    /// again when they are needed, then files of the variants that are to be evicted, where those are
    /// enough: a night looks for what is missing.
    func make(for budget: (Pipeline) -> EvictionBudget) throws -> Made {
        let store = try Store(root: cache)
        try store.sweepTemporaryFiles()
        let originals = try Store(root: cache, folder: "originals")
        var made = Made()
        let state = try StateDatabase.looked(atCache: cache)
        let index = "\(cache)/index.sqlite"
        try state?.forEachUnnamedRetiredFile(published: Files.exists(index) ? index : nil) { file in
            guard store.names(file) || originals.names(file), try isLacking() else { return }
            made.files += 1
            made.bytes += Files.size(of: store.path(of: file)) ?? 0
            try store.remove(file)
        }
        try originals.forEachFile { file, bytes in
            guard try isLacking() else { return }
            try originals.remove(file)
            made.originals += 1
            made.originalBytes += bytes
        }
        guard try isLacking(), let state else { return made }
        let text = try state.setting(.effectivePipeline) ?? ""
        let pipeline = try Pipeline(effectiveText: text, cache: cache)
        var report = EvictionReport()
        try EvictStage.choose(by: budget(pipeline), state, &report)
        let freed = report.bytesBefore - report.bytesAfter
        guard try Files.freeBytes(at: cache) + freed >= neededBytes else { return made }
        try state.forEachFreedFile { file, bytes in
            guard store.names(file), try isLacking() else { return }
            try store.remove(file)
            made.files += 1
            made.bytes += bytes
        }
        return made
    }

    private func isLacking() throws -> Bool { try Files.freeBytes(at: cache) < neededBytes }

    /// The index is written twice, as a draft and as it is published, and the state's changes before
    /// they are part of it.
    private var neededBytes: Int {
        let index = Files.size(of: "\(cache)/index.sqlite") ?? 0
        let state = Files.size(of: "\(cache)/state.sqlite") ?? 0
        return Self.leastBytes + 2 * index + min(2 * state, Self.mostStateBytes)
    }
}
