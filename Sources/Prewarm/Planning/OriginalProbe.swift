internal import Rendering
internal import Store
internal import System

/// Reads an original's header as a run does: in a worker, which costs no more than itself.
struct OriginalProbe {
    /// The file of gearbox.
    let program: String
    let settings: RenderSettings

    /// Reads a header; a second worker tries it where the first one crashes.
    ///
    /// - Throws: a `RenderError`, or what keeps a temporary folder from being made.
    func facts(of original: String, format: FileFormat) throws -> SourceFacts {
        // A worker may write into its cache directory: into none that is anybody's.
        let folder = try TemporaryFolder()
        let setup = WorkerSetup(settings: settings, cache: folder.path, originals: original)
        var outcome = try self.outcome(of: original, format: format, setup)
        if case .ended(let end) = outcome, !end.wasLarge(settings.limits) {
            outcome = try self.outcome(of: original, format: format, setup)
        }
        switch outcome {
        case .probed(let facts): return facts
        case .failed(let error): throw error
        default:
            let job = RenderJob(original: original, format: format, wanted: [])
            throw RenderError(outcome, of: job, settings.limits)
        }
    }

    private func outcome(
        of original: String,
        format: FileFormat,
        _ setup: WorkerSetup
    ) throws -> WorkerProcess.Outcome {
        let worker = try WorkerProcess(program: program, setup: setup)
        defer { worker.end() }
        return worker.outcome(ofProbing: original, format: format)
    }
}
