internal import GearboxURL
internal import Prewarm
internal import System

/// `gearbox canonicalize`.
struct CanonicalizeCommand: Command {
    static let name = "canonicalize"
    static let abstract = "prints the canonical form of URLs: one line in, one line out"
    static let operands = "[FILE...]"
    static let operandCount = 0...Int.max
    static let flags =
        [
            Flag(
                "--pipeline",
                "PATH",
                "use this pipeline's origins and gears instead of the defaults"
            ),
            Flag("--json", nil, "print a JSON object for each line"),
            Flag(
                "--explain",
                nil,
                "say in words what was read, which rule rounded or dropped what, and why;\n"
                    + "with --json as the object's \"explanation\""
            ),
        ] + ManifestFlags.flags
    static let notes = """
        Without FILE it reads standard input; - is standard input too. A line that has no canonical
        form gives an empty line, or an object with its error; blank lines and lines that begin with #
        give an empty line. Any bytes may come; lines end with LF or CRLF, and one longer than
        1048576 bytes is an error. Any number of lines takes the same memory. A manifest of another
        format (CSV, TSV, JSON Lines, an access log), or with .gz or .zst, gives a line for each entry.

        examples:
          echo 'https://p1.music.126.net/a.jpg?param=200y200' | gearbox canonicalize
          echo 'https://p1.music.126.net/a.jpg?param=200y200' | gearbox canonicalize --explain
        """
    static let exitStatuses: [ExitStatus] = [
        .success, .someFailed, .usage, .invalidInput, .environment,
    ]

    private let manifests: [Pipeline.Manifest]
    private let pipeline: String?
    private let form: CanonicalFilter.Form

    init(_ arguments: Arguments) throws {
        let files = arguments.operands.isEmpty ? ["-"] : arguments.operands
        if let url = files.first(where: { $0.contains("://") && !Files.exists($0) }) {
            throw UsageError(
                message: "\(ShownURL.quoted(url)) is no file: give URLs on standard input"
            )
        }
        manifests = try ManifestFlags.manifests(arguments, files)
        pipeline = arguments.value("--pipeline")
        switch (arguments.has("--json"), arguments.has("--explain")) {
        case (false, false): form = .text
        case (true, false): form = .json
        case (false, true): form = .explanation
        case (true, true): form = .explainedJSON
        }
    }

    func run() async throws -> ExitStatus {
        let rules = try pipeline.map { try Pipeline.read($0).rules } ?? CanonicalRules()
        var filter = CanonicalFilter(Canonicalizer(rules: rules), form: form)
        for manifest in manifests where filter.isOpen { try filter.filter(manifest) }
        let failed = try filter.finish()
        return failed > 0 && filter.isOpen ? .someFailed : .success
    }
}
