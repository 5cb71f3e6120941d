internal import Prewarm

/// `gearbox status`.
struct StatusCommand: Command {
    static let name = "status"
    static let abstract = "shows the last runs of a cache directory, stage by stage"
    static let operands = ""
    static let operandCount = 0...0
    static let flags = [
        Flag("--cache", "DIR", "the cache directory; needed"),
        Flag("--runs", "N", "how many runs, the last first; 3 if not given"),
        Flag("--json", nil, "print a JSON object for each run"),
    ]
    static let notes = """
        It may be asked while a run goes on.

        example:
          gearbox status --cache .cache/demo
        """
    static let exitStatuses: [ExitStatus] = [.success, .usage, .environment]

    private let cache: String
    private let runs: Int
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        cache = try arguments.cache()
        runs = try arguments.integer("--runs", in: 1...10_000) ?? 3
        isJSON = arguments.has("--json")
    }

    func run() async throws -> ExitStatus {
        try CacheFolder.checkState(of: cache)
        let records = try RunHistory.last(runs, cache: cache)
        let texts = records.map { isJSON ? RunHistoryText.json($0) : RunHistoryText.text($0) }
        return Output.print(texts.joined())
    }
}
