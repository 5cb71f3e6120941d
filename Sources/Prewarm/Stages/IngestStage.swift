internal import Manifests
internal import System

/// Manifest lines into the state.
struct IngestStage {
    let context: RunContext
    /// Lines in one transaction.
    private static let batch = 20_000
    private static let chunk = 256 * 1_024
    /// So many characters of a data URL are kept.
    private static let shownDataURL = 80

    func run() async throws -> Tally {
        try await context.state.run { state in
            try state.transaction { try state.beginListing() }
            var tally = Tally()
            for manifest in context.pipeline.manifests {
                try ingest(manifest, into: state, &tally)
            }
            try state.endListing()
            return tally
        }
    }

    private func ingest(
        _ manifest: Pipeline.Manifest,
        into state: StateDatabase,
        _ tally: inout Tally
    ) throws {
        let reader = try Self.open(manifest)
        let id = try state.insertManifest(path: manifest.path)
        var parser = TextManifest()
        var buffer = [UInt8](repeating: 0, count: Self.chunk)
        var isAtEnd = false
        while !isAtEnd {
            try context.checkInterruption()
            try state.transaction {
                var lines = 0
                let insert: (ManifestItem) throws -> Void = { item in
                    lines += 1
                    switch item {
                    case .entry(let entry) where entry.isDataURL:
                        tally.add("entries")
                        tally.add("data URLs")
                        // It may be long, and its beginning tells which it is.
                        let start = entry.url.prefix(Self.shownDataURL)
                        try state.insert(
                            .dataURL,
                            line: entry.line,
                            url: start.endIndex == entry.url.endIndex ? entry.url : start + "...",
                            manifest: id
                        )
                    case .entry(let entry):
                        tally.add("entries")
                        try state.insert(entry, manifest: id)
                    case .bad(let line, let reason):
                        tally.add("bad lines")
                        try state.insert(.bad(reason), line: line, manifest: id)
                    }
                }
                while lines < Self.batch && !isAtEnd {
                    let count: Int
                    do throws(SystemError) {
                        count = try reader.read(into: &buffer)
                    } catch {
                        if error.code == .interrupted { throw Interrupted() }
                        throw ManifestError(path: manifest.path, message: error.message)
                    }
                    isAtEnd = count == 0
                    if isAtEnd {
                        try parser.finish(item: insert)
                    } else {
                        try parser.read(buffer.span.extracting(..<count), item: insert)
                    }
                }
                context.progress.update { $0.done += lines }
            }
        }
        tally.add("manifests")
    }

    private static func open(_ manifest: Pipeline.Manifest) throws(ManifestError) -> FileReader {
        do throws(SystemError) {
            return try FileReader(manifest.path)
        } catch {
            throw ManifestError(path: manifest.path, message: error.message)
        }
    }
}

/// Why a manifest cannot be read.
package struct ManifestError: Error, Sendable, Hashable, CustomStringConvertible {
    package var path: String
    package var message: String
    package var description: String { "\(path): \(message)" }
}
