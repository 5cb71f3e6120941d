internal import GearboxURL
internal import Prewarm
internal import System

/// `gearbox gears`.
struct GearsCommand: Command {
    static let name = "gears"
    static let abstract = "finds the gears that waste the least for the traffic of manifests"
    static let operands = "MANIFEST..."
    static let operandCount = 1...Int.max
    static let flags =
        [
            Flag("--count", "K", "gears in the ladder of sizes; as many as today's if not given"),
            Flag(
                "--quality-count",
                "K",
                "gears in the ladder of qualities; as many as today's if not given"
            ),
            Flag("--pipeline", "PATH", "use this pipeline's origins and gears as today's"),
            Flag("--json", nil, "print one JSON object"),
        ] + ManifestFlags.flags
    static let notes = """
        A manifest is a list of URLs: text, CSV, TSV, JSON Lines or an access log, also with .gz or
        .zst; - is standard input. Of all ladders of so many gears it finds the one that wastes the
        fewest pixels over all requests, exactly, and prints it next to today's, with a chart of the
        requests by size.

        wasted pixels  of the box that a request is rounded up to, less those of the box it asked
                       for; a box of one side counts as the square of that side, whatever the picture
        above the top  with overflow "step" sizes count as the steps that they become; with any other
                       the best ladder reaches the largest size that was asked for
        qualities      waste quality points; the last gear is always 100
        variants       distinct canonical URLs with directives; exact up to 262144 distinct requests,
                       else estimated from a share of the sources
        hit rate       1 - variants / requests of variants

        example:
          gearbox gears --count 8 fixtures/manifests/demo.txt
        """
    static let exitStatuses: [ExitStatus] = [
        .success, .someFailed, .usage, .invalidInput, .environment,
    ]

    private let manifests: [Pipeline.Manifest]
    private let sizeCount: Int?
    private let qualityCount: Int?
    private let pipeline: String?
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        manifests = try ManifestFlags.manifests(arguments, arguments.operands)
        sizeCount = try arguments.integer("--count", in: 1...1_024)
        qualityCount = try arguments.integer("--quality-count", in: 1...100)
        pipeline = arguments.value("--pipeline")
        isJSON = arguments.has("--json")
    }

    func run() async throws -> ExitStatus {
        let rules = try pipeline.map { try Pipeline.read($0).rules } ?? CanonicalRules()
        var traffic = Traffic(rules: rules)
        var bad = BadLines(fault: "left out")
        for manifest in manifests {
            try traffic.read(manifest) { line, message in bad.add(manifest.path, line, message) }
        }
        bad.finish()
        if traffic.skipped > 0 {
            Diagnostics.error(
                "\(traffic.skipped) lines of access logs are no GET with 200 or 304: not counted"
            )
        }
        let comparison = LadderComparison(
            traffic,
            rules: rules,
            sizeCount: sizeCount,
            qualityCount: qualityCount
        )
        let status = Output.print(
            isJSON
                ? GearsJSON.line(traffic, comparison, badLines: bad.count)
                : GearsText.text(traffic, comparison, rules)
        )
        return status == .success && bad.count > 0 ? .someFailed : status
    }
}
