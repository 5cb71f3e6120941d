internal import GearboxDatabase
internal import Store
internal import System

/// A cache directory in the hands of one upkeep command: locked as a run locks it.
enum HeldCache {
    /// Opens a cache directory for as long as `body` works on it.
    ///
    /// - Parameters:
    ///   - path: the cache directory.
    ///   - preparing: what is done before its state is opened.
    ///   - body: what is done, with the pipeline that the last index was made by.
    /// - Returns: what `body` does; `nil` where the process was asked to stop.
    /// - Throws: where somebody else holds it, where no run has been here, and what `body` throws.
    static func with<Result: Sendable>(
        _ path: String,
        preparing: (_ cache: String) throws -> Void = { _ in },
        _ body: (RunContext) async throws -> Result
    ) async throws -> Result? {
        let cache = try Files.resolved(path)
        guard Files.exists("\(cache)/state.sqlite") else {
            throw SystemError(
                code: .notFound,
                subject: cache,
                message: "no run has used this directory: it has no state.sqlite; gearbox run"
                    + " makes one"
            )
        }
        let lock = try DirectoryLock(of: cache)
        try preparing(cache)
        let result = try await StateQueue.with(cache: cache) { state in
            try await with(state, ofCache: cache, body)
        }
        _ = consume lock
        return result
    }

    private static func with<Result: Sendable>(
        _ state: StateQueue,
        ofCache cache: String,
        _ body: (RunContext) async throws -> Result
    ) async throws -> Result? {
        let text = try await state.run { state in
            // Rows are read in the order of the table or sorted, which a large cache does not hasten.
            try state.database.execute("PRAGMA cache_size = -8192")
            return try state.setting(.effectivePipeline)
        }
        var pipeline = try Pipeline(effectiveText: text ?? "", cache: cache)
        pipeline.cache = cache
        let context = RunContext(
            run: 0,
            pipeline: pipeline,
            state: state,
            store: try Store(root: cache),
            originals: try Store(root: cache, folder: "originals"),
            progress: RunProgress(),
            deadline: nil
        )
        try await PublishStage(context: context).settle()
        do { return try await body(context) } catch is Interrupted { return nil }
    }
}

extension RunContext {
    /// Publishes what the state has now, where that is not what is published.
    ///
    /// - Returns: whether an index was published.
    func publish() async throws -> Bool {
        _ = try await IndexStage(context: self).run()
        return try await PublishStage(context: self).run()["published"] > 0
    }
}
