internal import Prewarm

/// `gearbox check`.
struct CheckCommand: Command {
    static let name = "check"
    static let abstract =
        "says everything that is wrong with a pipeline, or prints it with its defaults"
    static let operands = "PIPELINE"
    static let operandCount = 1...1
    static let flags: [Flag] = []
    static let notes = """
        The printed configuration is a pipeline itself, with every default filled in and every path
        absolute.

        example:
          gearbox check pipelines/demo.json5
        """
    static let exitStatuses: [ExitStatus] = [.success, .usage, .invalidInput]

    private let path: String

    init(_ arguments: Arguments) throws { path = arguments.operands[0] }

    func run() async throws -> ExitStatus {
        let pipeline = try Pipeline.read(path)
        let missing = pipeline.missingFiles()
        if !missing.isEmpty { throw PipelineError(file: path, problems: missing) }
        return Output.print(pipeline.effectiveText)
    }
}
