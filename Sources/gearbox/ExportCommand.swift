internal import Export
internal import GearboxIndex
internal import Prewarm
internal import System

/// `gearbox export`.
struct ExportCommand: Command {
    static let name = "export"
    static let abstract = "makes the directory that an image library, an app or a server reads"
    static let operands = "OUT"
    static let operandCount = 1...1
    static let flags = [
        Flag("--cache", "DIR", "the cache directory; needed"),
        Flag("--layout", "NAME", "for whom; needed:\n" + layouts),
        Flag(
            "--key",
            "url|key",
            "for a library: its keys are absolute URLs (if not given), or URLs without\n"
                + "scheme and host"
        ),
        Flag("--scheme", "SCHEME", "the scheme of those URLs: https (if not given) or http"),
        Flag(
            "--host",
            "HOST",
            "URLs on this host alone; may be repeated; if not given, on each host of the index"
        ),
        Flag("--origin", "NAME", "only this origin; may be repeated"),
        Flag(
            "--path",
            "PATTERN",
            "only paths like this, without the query; * is any run of characters, and the\n"
                + "only sign that means something; may be repeated"
        ),
        Flag(
            "--gear",
            "N",
            "only variants whose box has this longer side; may be repeated, and leaves\n"
                + "out whole pictures"
        ),
        Flag("--min-hits", "N", "only variants that the last run's manifests ask for so often"),
        Flag("--top", "N", "only so many variants of all these, the most asked for"),
    ]
    static let notes = """
        OUT is made whole or not at all: an earlier export there is replaced at once. Where there is
        anything else, or a file in it that the export did not make, OUT is refused. Beside what the
        library reads it holds export.json, which says what it is. Names that a layout cannot hold are
        counted and told; the exit status is 1 where one is a variant's own, and not an alias.
        docs/export.md says what to do with each directory.

        examples:
          gearbox export --cache .cache/demo --layout coil coil
          gearbox export --cache .cache/demo --layout index --path '/covers/*' --gear 120 bundle
        """
    static let exitStatuses: [ExitStatus] = [
        .success, .someFailed, .usage, .environment, .interrupted,
    ]

    static func meaning(of status: ExitStatus) -> String {
        switch status {
        case .success: "exported; what is left out is an alias"
        case .someFailed: "no variant is selected, or some have no name in the layout"
        default: status.meaning
        }
    }

    private static let layouts: String = {
        let width = Layouts.all.map { $0.name.count }.max() ?? 0
        return Layouts.all.map { "\($0.name.padded(to: width))  \($0.summary)" }
            .joined(separator: "\n")
    }()

    private let cache: String
    private let layout: any Layout
    private let options: ExportOptions
    private let target: String

    init(_ arguments: Arguments) throws {
        target = arguments.operands[0]
        cache = try arguments.cache()
        let names = Layouts.names.joined(separator: ", ")
        guard let name = arguments.value("--layout") else {
            throw UsageError(message: "--layout NAME is needed, one of \(names)")
        }
        guard let layout = Layouts.named(name) else {
            throw UsageError(message: "--layout takes one of \(names), not \"\(name)\"")
        }
        self.layout = layout
        if !layout.takesKeys,
            let flag = ["--key", "--scheme", "--host"].first(where: arguments.has)
        {
            throw UsageError(message: "\(flag) is for libraries, not for --layout \(layout.name)")
        }
        let gears = try arguments.all("--gear").map { text in
            guard let gear = Int(text), gear > 0 else {
                throw UsageError(message: "--gear takes a side in pixels, not \"\(text)\"")
            }
            return gear
        }
        for pattern in arguments.all("--path") where !["/", "*"].contains(pattern.prefix(1)) {
            throw UsageError(
                message: "--path takes a path, which begins with / (or *), as in '/covers/*',"
                    + " not \"\(pattern)\""
            )
        }
        options = ExportOptions(
            selection: IndexSelection(
                origins: arguments.all("--origin"),
                paths: arguments.all("--path"),
                gears: gears,
                minimumHits: try arguments.integer("--min-hits", in: 1...Int.max),
                top: try arguments.integer("--top", in: 1...Int.max)
            ),
            key: try arguments.choice("--key", of: ExportOptions.Key.self) ?? .url,
            scheme: try arguments.choice("--scheme", of: ExportOptions.Scheme.self) ?? .https,
            hosts: arguments.all("--host")
        )
        if options.key == .key, arguments.has("--host") || arguments.has("--scheme") {
            throw UsageError(message: "--key key has no scheme and no host")
        }
    }

    func run() async throws -> ExitStatus {
        _ = try CacheFolder.index(of: cache)
        Interruption.install()
        var options = options
        if options.selection.minimumHits != nil || options.selection.top != nil {
            guard let hits = try RequestHits.read(cache: cache) else {
                throw SystemError(
                    code: .notFound,
                    subject: cache,
                    message:
                        "it has no state.sqlite, and without it nobody knows the hits; leave out"
                        + " --min-hits and --top, or name the cache directory of the run"
                )
            }
            options.selection.hits = hits
        }
        let exporter = Exporter(
            cache: cache,
            layout: layout,
            options: options,
            version: gearboxVersion
        )
        do {
            let report = try exporter.export(to: target)
            for (refusal, refused) in report.refused.sorted(by: {
                $0.key.rawValue < $1.key.rawValue
            }) {
                Diagnostics.error(
                    "\(refused.count) name\(refused.count == 1 ? "" : "s") left out \(refusal.reason),"
                        + " as \(ShownURL.of(refused.first))"
                )
            }
            let written = Output.print(Self.summary(of: report, target))
            return report.lacksVariants && written == .success ? .someFailed : written
        } catch let error as ExportError {
            if error.code == .interrupted {
                Diagnostics.error("\(error)")
                return .interrupted
            }
            if error.code == .nothingSelected {
                Diagnostics.error("\(error)")
                return .someFailed
            }
            guard error.isUsage else { throw error }
            throw UsageError(message: "\(error)")
        }
    }

    private static func summary(of report: ExportReport, _ target: String) -> String {
        "\(target): \(report.names) names, \(report.files) files, \(ByteText.of(report.bytes))"
            + " (\(report.linked) hard links)\n"
    }
}
