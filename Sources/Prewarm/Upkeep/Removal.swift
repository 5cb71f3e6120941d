internal import GearboxURL

/// Takes pictures out of a cache directory for good: tonight, for every reader, whatever keeps files
/// otherwise.
package enum Removal {
    package struct Report: Sendable {
        package var removed: [Removed] = []
        package var refused: [Refused] = []
        /// Files that are gone.
        package var files = 0
        /// Files that other sources have, too.
        package var sharedFiles = 0
        /// The generation that was published without the pictures; `nil` where none had to be.
        package var generation: Int?
    }

    package struct Removed: Sendable, Hashable {
        package var url: String
        /// Of the source; an opaque URL's own key.
        package var key: String
        package var variants = 0
        package var aliases = 0
        /// Whether the last manifests name it.
        package var isWanted = false
    }

    package struct Refused: Sendable, Hashable {
        package var url: String
        package var message: String
    }

    /// Removes the sources of URLs, their variants, aliases and originals, and publishes.
    ///
    /// - Returns: what was done; `nil` where the process was asked to stop.
    /// - Throws: where the directory is somebody else's, or cannot be written.
    package static func remove(_ urls: [String], from cache: String) async throws -> Report? {
        try await HeldCache.with(cache) { context in
            var report = Report()
            try await context.checkThatStoreIsThere()
            for url in urls {
                try context.checkInterruption()
                try await remove(url, context, &report)
            }
            // Also what an earlier removal was stopped before.
            if try await context.publish() {
                report.generation = PublishedIndex.summary(context)?.generation
            }
            let swept = try await RetiredFiles(context: context).sweep()
            report.files = swept.files
            report.sharedFiles = swept.shared
            return report
        }
    }

    private static func remove(
        _ url: String,
        _ context: RunContext,
        _ report: inout Report
    ) async throws {
        let request: Request
        do {
            request = try Canonicalizer(rules: context.pipeline.rules).request(for: url)
        } catch {
            return report.refused.append(Refused(url: url, message: error.message))
        }
        let key = request.source ?? request.key
        let removed = try await context.state.transaction { state -> Removed? in
            let source = try state.source(
                origin: request.origin,
                path: key,
                isOpaque: request.source == nil
            )
            guard let source else { return nil }
            return try state.remove(source, for: url)
        }
        if let removed { return report.removed.append(removed) }
        // The state has lost it, and a removal that was stopped has not published yet.
        if try PublishedIndex.has(key, ofOrigin: request.origin, context) {
            return report.removed.append(Removed(url: url, key: key))
        }
        report.refused.append(
            Refused(url: url, message: "no run has made anything of it (its key is \(key))")
        )
    }
}
