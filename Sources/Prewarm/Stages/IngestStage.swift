internal import Manifests

/// Manifest lines into the state.
struct IngestStage {
    let context: RunContext
    /// Lines in one transaction.
    private static let batch = 20_000
    /// So many characters of a data URL are kept.
    private static let shownDataURL = 80

    /// The lines of manifests that have not changed since they were read stay as they are.
    func run() async throws -> Tally {
        try await context.state.run { state in
            let inputs = StageInputs(context)?.ofIngest()
            try state.transaction {
                if try state.beginNight() { try state.set(.nightRun, to: String(context.run)) }
            }
            if var kept = try state.keptTally(of: .ingest, inputs: inputs) {
                kept.add("unchanged")
                return kept
            }
            try state.transaction { try state.beginListing() }
            var tally = Tally()
            for manifest in context.pipeline.manifests {
                try ingest(manifest, into: state, &tally)
            }
            // They may have been written to while they were read.
            let isSame = inputs == StageInputs(context)?.ofIngest()
            try state.transaction {
                try state.endListing()
                try state.setDone(.ingest, inputs: isSame ? inputs : nil, run: context.run)
            }
            return tally
        }
    }

    private func ingest(
        _ manifest: Pipeline.Manifest,
        into state: StateDatabase,
        _ tally: inout Tally
    ) throws {
        var file = try ManifestFile(manifest)
        let id = try state.insertManifest(path: manifest.path)
        var isOpen = true
        while isOpen {
            try context.checkInterruption()
            try state.transaction {
                var lines = 0
                while lines < Self.batch && isOpen {
                    isOpen = try file.read { item in
                        lines += 1
                        switch item {
                        case .entry(let entry) where entry.isDataURL:
                            tally.add("entries")
                            tally.add("data URLs")
                            try insertDataURL(entry, manifest: id, into: state)
                        case .entry(let entry):
                            tally.add("entries")
                            try state.insert(entry, manifest: id)
                        case .bad(let line, let reason):
                            tally.add("bad lines")
                            try state.insert(.bad(reason), line: line, manifest: id)
                        case .skipped(let reason): tally.add(reason.rawValue)
                        }
                    }
                }
                context.progress.update { $0.done += lines }
            }
        }
        tally.add("manifests")
    }

    /// It may be long, and its beginning tells which it is.
    private func insertDataURL(
        _ entry: ManifestEntry,
        manifest: Int,
        into state: StateDatabase
    ) throws {
        let start = entry.url.prefix(Self.shownDataURL)
        try state.insert(
            .dataURL,
            line: entry.line,
            url: start.endIndex == entry.url.endIndex ? entry.url : start + "...",
            manifest: manifest
        )
    }
}
