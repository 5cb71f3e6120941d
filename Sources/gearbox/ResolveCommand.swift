internal import GearboxClient
internal import GearboxURL
internal import Prewarm
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
        Flag(
            "--fit",
            "SIZE",
            "what the transform leads to: gear, the size that all clients\nshare (the default), or request, the size that the URL asks for"
        ),
        Flag("--json", nil, "print a JSON object for each URL"),
        Flag(
            "--output",
            "FILE",
            "write what a client shows of one URL, in the format that the\nname ends in; without an ending PNG"
        ),
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
    private let fit: Resolution.Fit
    private let isJSON: Bool
    private let picture: PictureOutput?

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
        fit = try arguments.choice("--fit", of: Resolution.Fit.self) ?? .gear
        isJSON = arguments.has("--json")
        picture = try arguments.value("--output").map { path in
            guard arguments.operands.count == 1 else {
                throw UsageError(
                    message: "--output takes one URL, not \(arguments.operands.count) of them"
                )
            }
            guard let picture = PictureOutput(path: path) else {
                throw UsageError(
                    message: "--output writes \(PictureOutput.extensions), not \"\(path)\""
                )
            }
            return picture
        }
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
        let answer: Resolution
        do throws(RelationIndexError) {
            answer = try index.resolve(url, accept: accept, fit: fit)
        } catch {
            guard error.code == .badURL else { throw error }
            failed += 1
            if isJSON {
                try? output.write(ResolutionText.json(url, error: error.message))
            } else {
                Diagnostics.error("\(error.subject): \(error.message)")
            }
            return
        }
        if let picture { try show(answer, as: picture) }
        if isJSON {
            try? output.write(ResolutionText.json(answer))
        } else {
            try? output.write(line: ResolutionText.line(answer))
        }
    }

    private func show(_ answer: Resolution, as picture: PictureOutput) throws {
        guard let file = answer.file else {
            Diagnostics.error("nothing answers the URL, so \(picture.path) is not written")
            return
        }
        try picture.write(
            file: file,
            in: cache,
            scale: answer.transform?.scale.map { Size(width: $0.width, height: $0.height) },
            crop: answer.transform?.crop.map { crop in
                Rectangle(
                    x: crop.x,
                    y: crop.y,
                    size: Size(width: crop.width, height: crop.height)
                )
            }
        )
    }
}
