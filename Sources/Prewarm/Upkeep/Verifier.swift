internal import Store
internal import System

/// Holds the state and the published index against the files, each of which is read.
///
/// A file whose bytes have the digest that its name promises is the one that was written; that its
/// first bytes are those of its format is looked at all the same. No decoder is needed for that.
package struct Verifier: Sendable {
    let context: RunContext
    let threads: BlockingThreads
    private static let page = 4_096
    /// Files that a thread reads at a time.
    private static let share = 64

    /// Looks through a cache directory.
    ///
    /// - Parameters:
    ///   - cache: the directory.
    ///   - repairs: whether what is missing or damaged becomes due again, and what nobody needs is
    ///     removed.
    /// - Returns: what was found; `nil` where the process was asked to stop.
    /// - Throws: where the directory is somebody else's, or cannot be read.
    package static func verify(_ cache: String, repairs: Bool) async throws -> Verification? {
        // Twice as many as cores: some wait for the disk.
        let threads = BlockingThreads(name: "verify", count: 2 * ProcessFacts.usableCores)
        defer { threads.shutDown() }
        return try await HeldCache.with(cache) { context in
            let start = ContinuousClock.now
            let verifier = Verifier(context: context, threads: threads)
            var found = Verification(cache: context.pipeline.cache)
            try await verifier.look(&found)
            if repairs { try await CacheRepair(context: context).run(&found) }
            found.seconds = (ContinuousClock.now - start) / .seconds(1)
            return found
        }
    }

    private func look(_ found: inout Verification) async throws {
        if let damage = try await context.state.run({ try $0.damage() }) {
            throw StateDamage(message: damage)
        }
        let orphans = OrphanFiles(context: context)
        let fault = try await orphans.nameAll()
        if let fault { found.add(.index, "index.sqlite: \(fault)", isPublished: true) }
        try await checkFiles(&found)
        try await orphans.forEachFolder { files in
            try await context.state.transaction { try files.forEach($0.noteFaulty) }
            for file in files { found.add(.orphan, file) }
        }
        for name in try context.store.abandonedTemporaryFiles() {
            found.add(.abandoned, "tmp/\(name)")
        }
    }

    private func checkFiles(_ found: inout Verification) async throws {
        var last = ""
        while true {
            try context.checkInterruption()
            let after = last
            let page = try await context.state.run {
                try $0.namedFiles(after: after, limit: Self.page)
            }
            guard let end = page.last?.file else { return }
            guard end != last else {
                throw StateDamage(message: "it names a file whose name is no text")
            }
            last = end
            let faulty = try await threads.run(inSharesOf: Self.share, page) { try check($0) }
            found.files += page.count
            found.bytes += page.reduce(0) { $0 + $1.bytes }
            for (file, fault) in faulty {
                found.add(Verification.Fault(fault), file.file, isPublished: file.isPublished)
            }
            guard !faulty.isEmpty else { continue }
            try await context.state.transaction { state in
                for (file, _) in faulty { try state.noteFaulty(file.file) }
            }
        }
    }

    /// What is wrong with files, in their order.
    private func check(_ files: ArraySlice<NamedFile>) throws -> [(NamedFile, FileFault)] {
        var buffer = Store.readBuffer()
        var faults: [(NamedFile, FileFault)] = []
        for file in files {
            try context.checkInterruption()
            let fault = try context.store.fault(of: file.file, bytes: file.bytes, &buffer)
            // An original may be gone: it is fetched again when it is needed.
            if fault == .missing, context.originals.names(file.file) { continue }
            if let fault { faults.append((file, fault)) }
        }
        return faults
    }
}
