internal import Prewarm

/// `gearbox verify`.
struct VerifyCommand: Command {
    static let name = "verify"
    static let abstract = "holds a cache directory's index and state against its files"
    static let operands = ""
    static let operandCount = 0...0
    static let flags = [
        Flag("--cache", "DIR", "the cache directory; needed"),
        Flag(
            "--repair",
            nil,
            "have what is missing or damaged made again by the next run, publish\n"
                + "without it, and remove damaged files and those that nobody needs"
        ),
        Flag("--json", nil, "print one JSON object"),
    ]
    static let notes = """
        Every file is read, and its SHA-256 held against its name. It takes the cache directory's lock
        as a run does. An original that is not there is no fault: it is fetched again when it is
        needed.

        example:
          gearbox verify --cache .cache/demo --repair
        """
    static let exitStatuses: [ExitStatus] = [
        .success, .someFailed, .usage, .environment, .interrupted,
    ]

    static func meaning(of status: ExitStatus) -> String {
        switch status {
        case .success: "nothing is wrong"
        case .someFailed: "something is wrong, or was before it was repaired"
        default: status.meaning
        }
    }

    private let cache: String
    private let repairs: Bool
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        cache = try arguments.cache()
        repairs = arguments.has("--repair")
        isJSON = arguments.has("--json")
    }

    func run() async throws -> ExitStatus {
        try CacheFolder.checkState(of: cache)
        UpkeepInterruption.install()
        guard let found = try await Verifier.verify(cache, repairs: repairs) else {
            return .interrupted
        }
        let printed = Output.print(
            isJSON ? VerificationText.json(found) : VerificationText.text(found)
        )
        return printed == .success && !found.isClean ? .someFailed : printed
    }
}
