internal import Prewarm

/// `gearbox evict`.
struct EvictCommand: Command {
    static let name = "evict"
    static let abstract = "brings a cache directory within its budgets"
    static let operands = ""
    static let operandCount = 0...0
    static let flags = [
        Flag("--cache", "DIR", "the cache directory; needed"),
        Flag("--max-bytes", "N", "such as 20GiB, of all variants; the pipeline's if not given"),
        Flag("--max-age", "D", "such as 30d: what no manifest has named for so long goes"),
        Flag("--dry-run", nil, "only say what would go"),
        Flag("--force", nil, "also remove files that the index before the published one names"),
        Flag("--json", nil, "print one JSON object"),
    ]
    static let notes = """
        A source goes with all its variants: first those that one night has named, in the order they
        came, then those that several nights have named, the longest unnamed first; of one night
        those with the fewest hits. The index is published without them. Files that the index before
        it names go when the next one is published. Originals have their own budget, the pipeline's.

        example:
          gearbox evict --cache .cache/demo --max-bytes 20GiB --dry-run
        """
    static let exitStatuses: [ExitStatus] = [.success, .usage, .environment, .interrupted]

    static func meaning(of status: ExitStatus) -> String {
        switch status {
        case .success: "it is within its budgets"
        default: status.meaning
        }
    }

    private let cache: String
    private let maxBytes: Int?
    private let maxAge: Int?
    private let isDry: Bool
    private let isForced: Bool
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        cache = try arguments.cache()
        maxBytes = try arguments.byteCount("--max-bytes")
        maxAge = try arguments.seconds("--max-age")
        isDry = arguments.has("--dry-run")
        isForced = arguments.has("--force")
        isJSON = arguments.has("--json")
        if isDry && isForced {
            throw UsageError(message: "--dry-run and --force exclude each other")
        }
    }

    func run() async throws -> ExitStatus {
        try CacheFolder.checkState(of: cache)
        UpkeepInterruption.install()
        let report = try await Eviction.evict(
            cache,
            maxBytes: maxBytes,
            maxAgeSeconds: maxAge,
            isDry: isDry,
            forced: isForced
        )
        guard let report else { return .interrupted }
        return Output.print(
            isJSON
                ? EvictionText.json(report, isDry: isDry) : EvictionText.text(report, isDry: isDry)
        )
    }
}
