internal import GearboxClient
internal import GearboxURL
internal import System

/// `gearbox resolve`.
struct ResolveCommand: Command {
    static let name = "resolve"
    static let abstract = "says which file of a cache directory answers a URL"
    static let operands = "[URL...]"
    static let operandCount = 0...Int.max
    static let flags = [
        Flag("--cache", "DIR", "the cache directory; needed"),
        Flag("--accept", "FORMATS", "only these formats, as in jpg,webp"),
        Flag("--json", nil, "print a JSON object for each URL"),
    ]
    static let notes = """
        Without URL it reads standard input, a URL a line. It prints the answer (exact, reuse, alias or
        miss), the file, and what a client does to it.

        example:
          gearbox resolve --cache .cache/demo 'https://p1.music.126.net/a.jpg?param=200y200'
        """
    static let exitStatuses: [ExitStatus] = [.success, .someFailed, .usage, .environment]

    private static let formats = [
        "jpg", "jpeg", "png", "webp", "gif", "avif", "heif", "tiff",
    ]

    private let urls: [String]
    private let cache: String
    private let accept: Set<String>?
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        urls = arguments.operands
        cache = try arguments.cache()
        accept = try arguments.value("--accept").map { formats in
            let asked = formats.split(separator: ",").map { $0.lowercased() }
            if let other = asked.first(where: { !Self.formats.contains($0) }) {
                let all = Self.formats.joined(separator: ",")
                throw UsageError(message: "--accept takes of \(all), not \"\(other)\"")
            }
            return Set(asked.map { $0 == "jpeg" ? "jpg" : $0 })
        }
        isJSON = arguments.has("--json")
    }

    func run() async throws -> ExitStatus {
        let path = "\(cache)/index.sqlite"
        guard Files.exists(path) else {
            throw SystemError(
                code: .notFound,
                subject: path,
                message: "there is no index yet; gearbox run makes one"
            )
        }
        let index = try RelationIndex(path: path)
        var output = StreamWriter(.output)
        var failed = 0
        if urls.isEmpty {
            var lines = LineReader(try FileReader("-"))
            while output.isOpen, try lines.fill() {
                while lines.advance() {
                    if lines.line.isEmpty { continue }
                    let line = String(urlBytes: lines.bytes.span.extracting(lines.line))
                    try resolve(line, in: index, &output, &failed)
                }
                try output.flush()
            }
        } else {
            for url in urls { try resolve(url, in: index, &output, &failed) }
        }
        try output.flush()
        return failed > 0 ? .someFailed : .success
    }

    private func resolve(
        _ url: String,
        in index: RelationIndex,
        _ output: inout StreamWriter,
        _ failed: inout Int
    ) throws {
        do throws(RelationIndexError) {
            let answer = try index.resolve(url, accept: accept)
            if isJSON {
                try? output.write(ResolutionText.json(answer))
            } else {
                try? output.write(line: ResolutionText.line(answer))
            }
        } catch {
            guard error.code == .badURL else { throw error }
            failed += 1
            if isJSON {
                try? output.write(ResolutionText.json(url, error: error.message))
            } else {
                Diagnostics.error("\(error.subject): \(error.message)")
            }
        }
    }
}
