internal import GearboxURL
internal import Prewarm
internal import System

/// `gearbox run`.
struct RunCommand: Command {
    static let name = "run"
    static let abstract = "runs a pipeline: manifests in, pictures and their index out"
    static let operands = "PIPELINE"
    static let operandCount = 1...1
    static let flags =
        [
            Flag(
                "--manifest",
                "PATH",
                "a manifest instead of the pipeline's; may be repeated,\n- is standard input"
            )
        ] + ManifestFlags.flags + [
            Flag("--cache", "DIR", "the cache directory instead of the pipeline's"),
            Flag("--workers", "N", "pictures rendered at a time instead of the pipeline's"),
            Flag("--until", "STAGE", "stop after this stage: \(stages)"),
            Flag("--only", "STAGE", "run this stage alone, on what the earlier ones left"),
            Flag(
                "--refresh",
                "PATTERN",
                "fetch and render anew the sources whose plain key or URL matches,\n"
                    + "* is any run of characters; may be repeated"
            ),
            Flag("--dry-run", nil, "print what the run would do, send nothing, write nothing"),
            Flag(
                "--json",
                "PATH",
                "write a line of JSON for each manifest line and one for the run;\n- is standard output"
            ),
            Flag("--quiet", nil, "print only errors"),
        ]

    static let notes = """
        A run goes on where the last one ended: what is made is not made again. The index is replaced
        at the end, by one rename. What --refresh names is made anew by this run alone: after one
        that was interrupted it has to be given again. --dry-run says what gearbox plan says, of the
        stages that would run; with --json it is one object.

        example:
          gearbox run pipelines/demo.json5 --until plan
        """
    static let exitStatuses = ExitStatus.allCases
    private static let stages = Stage.allCases.map(\.rawValue).joined(separator: ", ")

    private let path: String
    private let manifests: [Pipeline.Manifest]
    private let cache: String?
    private let workers: Int?
    private let stages: Set<Stage>
    private let json: String?
    private let refresh: [Wildcard]
    private let isDry: Bool
    private let isQuiet: Bool

    init(_ arguments: Arguments) throws {
        path = arguments.operands[0]
        manifests = try ManifestFlags.manifests(
            arguments,
            arguments.all("--manifest"),
            in: try Files.resolved(".")
        )
        cache = arguments.has("--cache") ? try arguments.cache() : nil
        workers = try arguments.integer("--workers", in: 1...1_024)
        json = arguments.value("--json")
        refresh = arguments.all("--refresh").map { Wildcard($0) }
        isDry = arguments.has("--dry-run")
        isQuiet = arguments.has("--quiet")
        let until = try arguments.choice("--until", of: Stage.self)
        let only = try arguments.choice("--only", of: Stage.self)
        if until != nil && only != nil {
            throw UsageError(message: "--until and --only exclude each other")
        }
        stages =
            only.map { [$0] } ?? Set(Stage.allCases.filter { $0 <= until ?? .publish })
    }

    func run() async throws -> ExitStatus {
        var pipeline = try Pipeline.read(path)
        let folder = try Files.resolved(".")
        if !manifests.isEmpty {
            pipeline.manifests = manifests
        }
        if let cache { pipeline.cache = FilePaths.joined(folder, cache) }
        if let workers { pipeline.workers = workers }

        let missing = pipeline.missingFiles()
        if !missing.isEmpty { throw PipelineError(file: path, problems: missing) }
        if let json { try OutputFile.check(json) }
        if isDry { return try await look(ahead: pipeline) }
        Interruption.install()
        Interruption.onRequest {
            Diagnostics.error(
                "stopping when what is being fetched and rendered is done; again: at once"
            )
        }
        let progress = RunProgress()
        let display = ProgressDisplay(progress, isQuiet: isQuiet)
        display.start()
        let runner = Runner(
            pipeline: pipeline,
            stages: stages,
            refresh: refresh,
            progress: progress
        )
        let report: RunReport
        do {
            report = try await runner.run { report, outcomes in
                if let json { try await RunJSON.write(report, outcomes, to: json) }
            }
        } catch {
            display.stop()
            throw error
        }
        display.stop()
        if !isQuiet { Diagnostics.print(RunSummary.text(of: report)) }
        warnOfRefresh(report.stages)
        if report.isInterrupted { return .interrupted }
        return report.hasFailed ? .someFailed : .success
    }

    private func warnOfRefresh(_ stages: [RunReport.StageReport]) {
        guard !refresh.isEmpty, let plan = stages.first(where: { $0.stage == .plan }),
            plan.tally["sources to refresh"] == 0
        else { return }
        Diagnostics.error("--refresh: no source that the manifests name matches")
    }

    private func look(ahead pipeline: Pipeline) async throws -> ExitStatus {
        Interruption.install()
        guard var forecast = try await RunForecast.of(pipeline, refresh: refresh) else {
            return .interrupted
        }
        warnOfRefresh(forecast.stages)
        forecast.stages.removeAll { !stages.contains($0.stage) }
        guard let json else { return Output.print(ForecastText.text(of: forecast)) }
        var file = try OutputFile(json)
        try file.write(ForecastJSON.text(of: forecast))
        try file.finish()
        return .success
    }
}
