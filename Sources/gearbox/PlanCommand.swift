internal import GearboxURL
internal import Prewarm
internal import System

/// `gearbox plan`.
struct PlanCommand: Command {
    static let name = "plan"
    static let abstract = "says what a run would do and why, or how one URL is made"
    static let operands = "PIPELINE [URL]"
    static let operandCount = 1...2
    static let flags = [
        Flag("--cache", "DIR", "the cache directory instead of the pipeline's"),
        Flag(
            "--size",
            "WxH",
            "plan the URL as if its original had this size, where it is not held;\n"
                + "its path tells the format"
        ),
        Flag("--json", nil, "print one JSON object"),
    ]
    static let notes = """
        Nothing is fetched and nothing is written; it may be asked while a run goes on. With a URL it
        says what the URL is, where its original is looked for, and how each variant of its source is
        made: from which pixels, by which encode, whether it is due and why. Without one it reads the
        manifests and counts what each stage would do. Whether an original has changed on a server
        shows only when that is asked.

        example:
          gearbox plan pipelines/demo.json5 \\
            'https://p1.music.126.net/covers/2024/album-01.jpg?param=200y200'
        """
    static let exitStatuses: [ExitStatus] = [
        .success, .someFailed, .usage, .invalidInput, .environment, .interrupted,
    ]

    private let path: String
    private let url: String?
    private let cache: String?
    private let size: Size?
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        path = arguments.operands[0]
        url = arguments.operands.count > 1 ? arguments.operands[1] : nil
        cache = arguments.has("--cache") ? try arguments.cache() : nil
        size = try arguments.value("--size").map(Self.size)
        isJSON = arguments.has("--json")
        if size != nil && url == nil {
            throw UsageError(message: "--size is of the original of a URL: which one?")
        }
    }

    func run() async throws -> ExitStatus {
        var pipeline = try Pipeline.read(path)
        if let cache { pipeline.cache = FilePaths.joined(try Files.resolved("."), cache) }
        guard let url else {
            let missing = pipeline.missingFiles()
            if !missing.isEmpty { throw PipelineError(file: path, problems: missing) }
            Interruption.install()
            guard let forecast = try await RunForecast.of(pipeline) else { return .interrupted }
            return Output.print(
                isJSON ? ForecastJSON.text(of: forecast) : ForecastText.text(of: forecast)
            )
        }
        do {
            let plan = try SourcePlanner(pipeline).plan(url, supposing: size)
            return Output.print(isJSON ? plan.json(input: url) : plan.text)
        } catch let error as RequestError {
            Diagnostics.error("\(ShownURL.quoted(url)): \(error.message)")
            return .someFailed
        }
    }

    private static func size(_ text: String) throws -> Size {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1],
            (1...1_000_000).contains(width), (1...1_000_000).contains(height)
        else {
            throw UsageError(message: "--size takes a size such as 1200x800, not \"\(text)\"")
        }
        return Size(width: width, height: height)
    }
}
