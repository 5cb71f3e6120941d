internal import Store
internal import System

/// Room for an eviction to work in: before a file may go, rows and an index without it have to be
/// written, and on a full disk nothing can be.
struct WorkingRoom {
    /// What went for it.
    struct Made: Sendable {
        var originals = 0
        var bytes = 0
    }

    let cache: String
    private static let leastBytes = 16 << 20

    /// Removes originals, as many as it takes: one that is gone is fetched again when it is needed.
    ///
    /// Called by the holder of the lock, before the state is opened, as that takes room, too.
    func make() throws -> Made {
        let store = try Store(root: cache)
        try store.sweepTemporaryFiles()
        let originals = try Store(root: cache, folder: "originals")
        var made = Made()
        try originals.forEachFile { file, bytes in
            guard try Files.freeBytes(at: cache) < neededBytes else { return }
            try originals.remove(file)
            made.originals += 1
            made.bytes += bytes
        }
        return made
    }

    /// The index is written twice, as a draft and as it is published, and the state's changes before
    /// they are part of it.
    private var neededBytes: Int {
        let index = Files.size(of: "\(cache)/index.sqlite") ?? 0
        let state = Files.size(of: "\(cache)/state.sqlite") ?? 0
        return Self.leastBytes + 2 * index + min(state, 4 * Self.leastBytes)
    }
}
