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
        var room = WorkingRoom.Made()
        func makeRoom(in cache: String) throws {
            if forced { room = try WorkingRoom(cache: cache).make() }
        }
        return try await HeldCache.with(cache, preparing: makeRoom) { context in
            var budget = context.pipeline.budget
            budget.maxBytes = maxBytes ?? budget.maxBytes
            budget.maxAgeSeconds = maxAgeSeconds ?? budget.maxAgeSeconds
            var report = try await EvictStage(context: context).evict(
                budget,
                isDry: isDry,
                counts: true
            )
            if isDry { return report }
            report.originals += room.originals
            report.originalBytes += room.bytes
            report.originalBytesBefore += room.bytes
            report.originalsForRoom = room.originals
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
}
