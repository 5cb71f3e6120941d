internal import Prewarm

/// `gearbox remove`.
struct RemoveCommand: Command {
    static let name = "remove"
    static let abstract = "takes pictures out of a cache directory and publishes, at once"
    static let operands = "URL..."
    static let operandCount = 1...Int.max
    static let flags = [
        Flag("--cache", "DIR", "the cache directory; needed"),
        Flag("--json", nil, "print a JSON object for each URL and one for the whole"),
    ]
    static let notes = """
        A URL stands for its source: all its variants, aliases and its original go, and the files that
        no other source has, also those that the index before the published one names. An opaque URL
        is a source of its own. A later run whose manifest still names one makes it again: take it out
        of the manifests, too. A URL that nothing was made of is said and ends with 1.

        example:
          gearbox remove --cache .cache/demo 'https://p1.music.126.net/a.jpg?param=200y200'
        """
    static let exitStatuses: [ExitStatus] = [
        .success, .someFailed, .usage, .environment, .interrupted,
    ]

    static func meaning(of status: ExitStatus) -> String {
        switch status {
        case .success: "all of them are gone"
        case .someFailed: "some URLs are unknown; the rest is gone"
        default: status.meaning
        }
    }

    private let cache: String
    private let urls: [String]
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        cache = try arguments.cache()
        urls = arguments.operands
        isJSON = arguments.has("--json")
    }

    func run() async throws -> ExitStatus {
        try CacheFolder.checkState(of: cache)
        UpkeepInterruption.install()
        guard let report = try await Removal.remove(urls, from: cache) else { return .interrupted }
        for refused in report.refused {
            Diagnostics.error("\(ShownURL.quoted(refused.url)): \(refused.message)")
        }
        let printed = Output.print(isJSON ? RemovalText.json(report) : RemovalText.text(report))
        return printed == .success && !report.refused.isEmpty ? .someFailed : printed
    }
}
