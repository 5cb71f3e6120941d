/// Reads a manifest of any format, compressed or not.
///
/// Manifests owns the readers of every manifest format, and is the only importer of zlib and zstd. The
/// readers are fed bytes and give items; they know nothing of files, of what a URL means, or of what
/// is done with it. Memory is that of a record and of a piece of decompressed text, whatever comes.
package struct ManifestReader {
    private static let chunk = 256 * 1_024

    private let name: String
    private var parser: any ManifestParser
    /// The first bytes, until they tell whether the manifest is compressed.
    private var start: [UInt8] = []
    private var isStarted = false
    private var decompressor: (any Decompressor)?
    private var output: [UInt8] = []
    /// Whether there may be more text than `read` has given: call it again with what it left, or
    /// nothing.
    package private(set) var hasMore = false

    /// - Parameters:
    ///   - shape: how the manifest is written.
    ///   - name: what errors call it, and what it tells of compression by `.gz` or `.zst`.
    package init(_ shape: ManifestShape, name: String) {
        self.name = name
        switch shape.format {
        case .text: parser = TextManifest()
        case .csv: parser = TableManifest(separator: ",", column: shape.column)
        case .tsv: parser = TableManifest(separator: "\t", column: shape.column)
        case .jsonl: parser = JSONLinesManifest(column: shape.column)
        case .clf: parser = AccessLog(base: shape.base)
        }
    }

    /// Reads some of the next bytes of the file; they may end anywhere.
    ///
    /// - Returns: how many were taken. The others come first the next time.
    /// - Throws: `ManifestError` where the manifest cannot be read on, and what `item` throws.
    package mutating func read(
        _ bytes: Span<UInt8>,
        item: (ManifestItem) throws -> Void
    ) throws -> Int {
        guard isStarted else {
            let taken = min(Magic.longest - start.count, bytes.count)
            for index in 0..<taken { start.append(bytes[index]) }
            if start.count == Magic.longest { try begin(item) }
            return taken
        }
        guard let decompressor else {
            try parse(bytes, item)
            return bytes.count
        }
        return try decompress(bytes, decompressor, item)
    }

    /// Ends the file.
    package mutating func finish(item: (ManifestItem) throws -> Void) throws {
        if !isStarted {
            if ManifestFormat.isCompressed(fileName: name) && Magic.isCutShort(start) {
                throw cutShort()
            }
            try begin(item)
        }
        if let decompressor {
            let nothing: [UInt8] = []
            while hasMore { _ = try decompress(nothing.span, decompressor, item) }
            guard decompressor.isAtEnd else { throw cutShort() }
        }
        try Self.naming(name) { try parser.finish(item: item) }
    }

    /// Decides on compression and reads the bytes that have told it.
    private mutating func begin(_ item: (ManifestItem) throws -> Void) throws {
        isStarted = true
        let first = start
        start = []
        decompressor = Magic.decompressor(of: first)
        guard let decompressor else { return try parse(first.span, item) }
        output = [UInt8](repeating: 0, count: Self.chunk)
        var taken = 0
        while taken < first.count {
            taken += try decompress(first.span.extracting(taken...), decompressor, item)
        }
    }

    private mutating func decompress(
        _ bytes: Span<UInt8>,
        _ decompressor: any Decompressor,
        _ item: (ManifestItem) throws -> Void
    ) throws -> Int {
        let done: (taken: Int, written: Int)
        do throws(DecompressionFault) {
            done = try decompressor.decompress(bytes, into: &output)
        } catch {
            throw ManifestError(
                code: .damaged,
                subject: name,
                message: "\(error.message) (after line \(parser.line))"
            )
        }
        hasMore = done.written == output.count
        let text = output
        try parse(text.span.extracting(..<done.written), item)
        return done.taken
    }

    private mutating func parse(
        _ text: Span<UInt8>,
        _ item: (ManifestItem) throws -> Void
    ) throws {
        try Self.naming(name) { try parser.read(text, item: item) }
    }

    /// Says of a fault whose it is.
    private static func naming(_ name: String, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let fault as ManifestFault {
            throw ManifestError(code: fault.code, subject: name, message: fault.message)
        }
    }

    private func cutShort() -> ManifestError {
        ManifestError(
            code: .truncated,
            subject: name,
            message:
                "the compressed data end too early; copy the file again (after line \(parser.line))"
        )
    }
}
