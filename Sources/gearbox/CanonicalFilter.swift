internal import GearboxURL
internal import Manifests
internal import Prewarm
internal import System

/// Canonicalises lines to standard output, in memory that does not grow with their number.
struct CanonicalFilter: ~Copyable {
    /// What a line becomes.
    enum Form {
        /// Its canonical URL.
        case text
        /// An object with all that is known of it.
        case json
        /// A block of sentences.
        case explanation
        /// An object that has the sentences too.
        case explainedJSON
    }

    private let canonicalizer: Canonicalizer
    private let form: Form
    private var output = StreamWriter(.output, capacity: 256 * 1_024)
    private var bad: BadLines

    init(_ canonicalizer: Canonicalizer, form: Form) {
        self.canonicalizer = canonicalizer
        self.form = form
        let isTold = form == .text
        bad = BadLines(shown: isTold ? 10 : 0, fault: "without a canonical form")
    }

    /// Whether somebody still reads the output.
    var isOpen: Bool { output.isOpen }

    /// A line for each line of a text, and for each entry of any other manifest.
    mutating func filter(_ manifest: Pipeline.Manifest) throws {
        let isPlain =
            manifest.shape.format == .text && !ManifestFormat.isCompressed(fileName: manifest.path)
        if isPlain { try filterLines(manifest.path) } else { try filterEntries(manifest) }
    }

    private mutating func filterEntries(_ manifest: Pipeline.Manifest) throws {
        var file = try ManifestFile(manifest)
        var isOpen = true
        while output.isOpen && isOpen {
            isOpen = try file.read { item in
                switch item {
                case .skipped: break
                case .bad(let line, let reason): try fail(nil, reason, manifest.path, line)
                case .entry(let entry):
                    let url = Array(entry.url.utf8)
                    if URLLines.saysNothing(url.span) {
                        try writeNothing()
                    } else {
                        try convert(url.span, manifest.path, entry.line)
                    }
                }
                if output.isFull { try output.flush() }
            }
            try output.flush()
        }
    }

    private mutating func filterLines(_ file: String) throws {
        var lines = try URLLines(file)
        while output.isOpen, try lines.fill() {
            while let line = lines.next() {
                switch line {
                case .nothing: try writeNothing()
                case .tooLong(let message): try fail(nil, message, file, lines.number)
                case .url(let range):
                    try convert(lines.bytes.span.extracting(range), file, lines.number)
                }
                if output.isFull { try output.flush() }
            }
            try output.flush()
        }
    }

    /// Ends the output.
    ///
    /// - Returns: how many lines have no canonical form.
    mutating func finish() throws -> Int {
        try output.flush()
        bad.finish()
        return bad.count
    }

    private mutating func writeNothing() throws(SystemError) {
        if form != .explanation { try output.write(line: "") }
    }

    private mutating func convert(
        _ line: Span<UInt8>,
        _ file: String,
        _ number: Int
    ) throws(SystemError) {
        if form == .text {
            if let error = writeCanonical(line) { try fail(line, error.message, file, number) }
            return
        }
        let request: Request
        do throws(RequestError) {
            request = try canonicalizer.request(for: line)
        } catch {
            return try fail(line, error.message, file, number)
        }
        switch form {
        case .text: break
        case .json: try output.write(RequestJSON.line(input: String(line), request))
        case .explanation:
            let input = String(urlBytes: line)
            try output.write(ExplanationText.block(input, sentences(line), request.canonical))
        case .explainedJSON:
            try output.write(RequestJSON.line(input: String(line), request, sentences(line)))
        }
    }

    /// Writes what stands for a line that nothing could be made of.
    private mutating func fail(
        _ line: Span<UInt8>?,
        _ message: String,
        _ file: String,
        _ number: Int
    ) throws(SystemError) {
        bad.add(file, number, message)
        switch form {
        case .text: try output.write(line: "")
        case .json, .explainedJSON:
            var input: String?
            if let line { input = String(line) }
            try output.write(RequestJSON.line(input: input, error: message))
        case .explanation:
            var input: String?
            if let line { input = String(urlBytes: line) }
            try output.write(ExplanationText.block(input, ["There is no key: \(message)."], nil))
        }
    }

    private func sentences(_ line: Span<UInt8>) -> [String] {
        canonicalizer.explanation(of: line).sentences
    }

    /// The one form that is made for millions of lines: no String of theirs exists.
    private mutating func writeCanonical(_ line: Span<UInt8>) -> RequestError? {
        let capacity = Canonicalizer.canonicalCapacity(of: line) + 1
        let canonicalizer = canonicalizer
        do throws(RequestError) {
            try output.write(upTo: capacity) { bytes throws(RequestError) in
                try canonicalizer.writeCanonical(of: line, to: &bytes)
                bytes.append(0x0A)
            }
            return nil
        } catch {
            return error
        }
    }
}

extension String {
    /// Any bytes as text: what is not UTF-8 becomes U+FFFD.
    fileprivate init(_ bytes: Span<UInt8>) {
        if let text = try? UTF8Span(validating: bytes) {
            self.init(copying: text)
        } else {
            var copy: [UInt8] = []
            for index in bytes.indices { copy.append(bytes[index]) }
            self.init(decoding: copy, as: UTF8.self)
        }
    }
}
