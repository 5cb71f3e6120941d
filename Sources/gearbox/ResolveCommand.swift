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
        Flag("--accept", "FORMATS", "only files of these formats, as in jpg,webp"),
        Flag(
            "--fit",
            "SIZE",
            "what the transform leads to: gear, the size that all clients\nshare (the default), or request, the size that the URL asks for"
        ),
        Flag("--json", nil, "print a JSON object for each URL"),
        Flag(
            "--output",
            "FILE",
            "write what a client shows of one URL, in the format that the\nname ends in; without an ending PNG; - is standard output, where\nthe answer is not printed then"
        ),
    ]
    static let notes = """
        Without URL it reads standard input, a URL a line. It prints the answer (exact, reuse, alias or
        miss), the file, and what a client does to it. Lines are read as gearbox canonicalize reads
        them, a line out for each. A miss is an answer and ends with 0, but with --output, where nothing
        is written then, with 1.

        example:
          gearbox resolve --cache .cache/demo 'https://p1.music.126.net/a.jpg?param=200y200'
        """
    static let exitStatuses: [ExitStatus] = [.success, .someFailed, .usage, .environment]

    static func meaning(of status: ExitStatus) -> String {
        switch status {
        case .success: "every URL has an answer, be it a miss"
        case .someFailed: "some URLs have no key, or nothing is there to be written"
        default: status.meaning
        }
    }

    private let urls: [String]
    private let cache: String
    private let accept: Set<String>?
    private let fit: Resolution.Fit
    private let isJSON: Bool
    private let picture: PictureOutput?

    init(_ arguments: Arguments) throws {
        urls = arguments.operands
        cache = try arguments.cache()
        accept = try arguments.value("--accept").map(Self.formats)
        fit = try arguments.choice("--fit", of: Resolution.Fit.self) ?? .gear
        isJSON = arguments.has("--json")
        picture = try arguments.value("--output").map { path in
            guard arguments.operands.count == 1 else {
                throw UsageError(
                    message: "--output takes one URL, not \(arguments.operands.count) of them"
                )
            }
            guard !path.isEmpty else { throw UsageError(message: "--output needs a file's name") }
            if path == "-" && arguments.has("--json") {
                throw UsageError(message: "--json and --output - exclude each other")
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
        let index = try RelationIndex(path: try CacheFolder.index(of: cache))
        var output = StreamWriter(.output)
        let isComplete =
            urls.isEmpty
            ? try resolveLines(in: index, &output) : try resolveArguments(in: index, &output)
        try output.flush()
        return isComplete ? .success : .someFailed
    }

    /// - Returns: whether all that is asked for is done.
    private func resolveArguments(
        in index: RelationIndex,
        _ output: inout StreamWriter
    ) throws -> Bool {
        var isComplete = true
        for url in urls {
            switch try answer(url, from: index) {
            case .success(let answer):
                if try !write(answer, &output) { isComplete = false }
            case .failure(let error):
                isComplete = false
                if isJSON {
                    try output.write(ResolutionText.json(url, error: error.message))
                } else {
                    Diagnostics.error("\(ShownURL.quoted(url)): \(error.message)")
                }
            }
        }
        return isComplete
    }

    /// A line for each line of standard input, as `canonicalize` does.
    ///
    /// - Returns: whether all of them have a key.
    private func resolveLines(
        in index: RelationIndex,
        _ output: inout StreamWriter
    ) throws -> Bool {
        var lines = try URLLines("-")
        var bad = BadLines(shown: isJSON ? 0 : 10, fault: "without an answer")
        func fail(_ url: String?, _ message: String, _ number: Int) throws {
            bad.add("-", number, message)
            try output.write(isJSON ? ResolutionText.json(url, error: message) : [0x0A])
        }
        while output.isOpen, try lines.fill() {
            while let line = lines.next() {
                switch line {
                case .nothing: try output.write(line: "")
                case .tooLong(let message): try fail(nil, message, lines.number)
                case .url(let range):
                    let url = String(urlBytes: lines.bytes.span.extracting(range))
                    switch try answer(url, from: index) {
                    case .success(let answer): _ = try write(answer, &output)
                    case .failure(let error): try fail(url, error.message, lines.number)
                    }
                }
            }
            try output.flush()
        }
        bad.finish()
        return bad.count == 0
    }

    /// - Returns: a failure where the URL is bad.
    /// - Throws: where the index is.
    private func answer(
        _ url: String,
        from index: RelationIndex
    ) throws -> Result<Resolution, RelationIndexError> {
        do throws(RelationIndexError) {
            return .success(try index.resolve(url, accept: accept, fit: fit))
        } catch {
            guard error.code == .badURL else { throw error }
            return .failure(error)
        }
    }

    /// - Returns: whether all that is asked for is done.
    private func write(_ answer: Resolution, _ output: inout StreamWriter) throws -> Bool {
        let isDone = try picture.map { try show(answer, as: $0) } ?? true
        if isJSON {
            try output.write(ResolutionText.json(answer))
        } else if picture?.path != "-" {
            try output.write(line: ResolutionText.line(answer))
        }
        return isDone
    }

    private static func formats(_ text: String) throws -> Set<String> {
        let all = RelationIndex.formats
        let asked = RelationIndex.formats(named: text.split(separator: ",").map(String.init))
        guard !asked.isEmpty else {
            throw UsageError(message: "--accept is empty; name at least one format, as in jpg,webp")
        }
        guard asked.isSubset(of: all) else {
            throw UsageError(
                message: "--accept takes of \(all.sorted().joined(separator: ",")), not \"\(text)\""
            )
        }
        return asked
    }

    /// - Returns: whether there was something to show.
    private func show(_ answer: Resolution, as picture: PictureOutput) throws -> Bool {
        guard let file = answer.file else {
            let isThere = picture.path != "-" && Files.exists(picture.path)
            Diagnostics.error(
                "nothing answers the URL, so \(picture.path) is not written"
                    + (isThere ? "; what is there is older" : "")
            )
            return false
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
            },
            flattens: answer.flattens
        )
        return true
    }
}
