internal import GearboxURL
internal import Prewarm
internal import System

/// `gearbox canonicalize`.
struct CanonicalizeCommand: Command {
    static let name = "canonicalize"
    static let abstract = "prints the canonical form of URLs: one line in, one line out"
    static let operands = "[FILE...]"
    static let operandCount = 0...Int.max
    static let flags = [
        Flag("--pipeline", "PATH", "use this pipeline's origins and gears instead of the defaults"),
        Flag("--json", nil, "print a JSON object for each line"),
    ]
    static let notes = """
        Without FILE it reads standard input; - is standard input too. A line that has no canonical
        form gives an empty line, or an object with its error; blank lines and lines that begin with #
        give an empty line.

        example:
          echo 'https://p1.music.126.net/a.jpg?param=200y200' | gearbox canonicalize
        """
    static let exitStatuses: [ExitStatus] = [
        .success, .someFailed, .usage, .invalidInput, .environment,
    ]

    private let files: [String]
    private let pipeline: String?
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        files = arguments.operands.isEmpty ? ["-"] : arguments.operands
        pipeline = arguments.value("--pipeline")
        isJSON = arguments.has("--json")
    }

    func run() async throws -> ExitStatus {
        let rules = try pipeline.map { try Pipeline.read($0).rules } ?? CanonicalRules()
        let canonicalizer = Canonicalizer(rules: rules)
        var output = StreamWriter(.output)
        var failed = 0
        for file in files {
            var lines = LineReader(try FileReader(file))
            while output.isOpen, let line = try lines.next() {
                if line.isEmpty || line.hasPrefix("#") {
                    try output.write(line: "")
                    continue
                }
                do throws(RequestError) {
                    let request = try canonicalizer.request(for: line)
                    if isJSON {
                        try? output.write(RequestJSON.line(input: line, request))
                    } else {
                        try? output.write(line: request.canonical)
                    }
                } catch {
                    failed += 1
                    if isJSON {
                        try? output.write(RequestJSON.line(input: line, error))
                    } else {
                        try? output.write(line: "")
                        Diagnostics.error("\(file):\(lines.number): \(error.message)")
                    }
                }
            }
        }
        try output.flush()
        return failed > 0 ? .someFailed : .success
    }
}
