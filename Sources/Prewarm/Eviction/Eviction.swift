internal import System

/// An eviction by itself, between two nights.
package enum Eviction {
    /// Takes out what is over the budgets and publishes the index without it.
    ///
    /// - Parameters:
    ///   - cache: the cache directory.
    ///   - maxBytes: in place of the pipeline's.
    ///   - maxAgeSeconds: in place of the pipeline's.
    ///   - isDry: whether it is only said what would go.
    ///   - forced: whether files that the index before the published one names go at once, too, and
    ///     originals where there is no room to work.
    /// - Returns: what went; `nil` where the process was asked to stop.
    /// - Throws: where the directory is somebody else's, or cannot be written.
    package static func evict(
        _ cache: String,
        maxBytes: Int?,
        maxAgeSeconds: Int?,
        isDry: Bool,
        forced: Bool
    ) async throws -> EvictionReport? {
        func limits(_ pipeline: Pipeline) -> EvictionBudget {
            EvictionBudget(
                maxBytes: maxBytes ?? pipeline.budget.maxBytes,
                maxAgeSeconds: maxAgeSeconds ?? pipeline.budget.maxAgeSeconds
            )
        }
        if isDry {
            return try await HeldCache.with(cache) { context in
                try await EvictStage(context: context)
                    .evict(limits(context.pipeline), isDry: true, counts: true)
            }
        }
        do {
            return try await HeldCache.with(cache) { context in
                try await evict(by: limits(context.pipeline), forced: forced, context)
            }
        } catch {
            guard forced, try WorkingRoom(cache: Files.resolved(cache)).isLacking(after: error)
            else { throw error }
        }
        var room = WorkingRoom.Made()
        func makeRoom(in cache: String) throws {
            room = try WorkingRoom(cache: cache).make(for: limits)
        }
        return try await HeldCache.with(cache, preparing: makeRoom) { context in
            var report = try await evict(by: limits(context.pipeline), forced: true, context)
            report.add(room)
            return report
        }
    }

    private static func evict(
        by budget: EvictionBudget,
        forced: Bool,
        _ context: RunContext
    ) async throws -> EvictionReport {
        try await context.checkThatStoreIsThere()
        var report = try await EvictStage(context: context).evict(budget, counts: true)
        if try await context.publish() {
            report.generation = PublishedIndex.summary(context)?.generation
        }
        let swept = try await RetiredFiles(context: context).sweep(forced: forced)
        report.removedFiles = swept.files + report.originals
        report.removedBytes = swept.bytes + report.originalBytes
        report.waitingFiles = swept.waiting
        return report
    }
}

extension EvictionReport {
    fileprivate mutating func add(_ room: WorkingRoom.Made) {
        originals += room.originals
        originalBytes += room.originalBytes
        originalBytesBefore += room.originalBytes
        originalsForRoom = room.originals
        removedFiles += room.originals + room.files
        removedBytes += room.originalBytes + room.bytes
    }
}
