internal import Store
internal import Synchronization
internal import Transfer

/// Takes the body of one response: a picture into the store, of anything else the beginning.
///
/// The one thread of all transfers only copies. Digests and the disk are the matter of other
/// threads; where they fall behind, it lends a hand rather than let the bytes pile up.
final class OriginalBody: BodyReceiving {
    /// How an answered transfer's body is to be seen.
    enum Outcome: Sendable {
        case kept(StoredFile, FileFormat)
        case refused(FetchError)
    }

    private let check: BodyCheck
    private let files: any TaskExecutor
    private let pool: PiecePool
    private let state = Mutex(State())
    /// Held from the taking of a piece to the end of its writing, so that pieces keep their order.
    private let sink: Mutex<Sink>
    /// Whether the sink has met an error: to ask it is to wait for what it writes.
    private let hasFailed = Atomic(false)

    init(
        _ store: Store,
        _ check: BodyCheck,
        of request: FetchRequest,
        files: any TaskExecutor,
        pool: PiecePool
    ) {
        self.check = check
        self.files = files
        self.pool = pool
        sink = Mutex(
            Sink(store: store, expected: request.expected, isLikelyNew: request.held == nil)
        )
    }

    func begin(_ head: ResponseHead) throws {
        guard head.status == 200 else { return }
        let length = head.headers["content-length"].flatMap { Int($0) } ?? 0
        let piece = pool.take(for: length)
        state.withLock { $0.keep(in: piece) }
    }

    func receive(_ bytes: Span<UInt8>) throws -> BodyDemand {
        let next = state.withLock { $0.receive(bytes, check, pool) }
        switch next {
        case .more: return .more
        case .enough: return .enough
        case .write:
            Task(executorPreference: files) { self.writePieces(waits: false) }
        case .help: writePieces(waits: false)
        case .helpOrWait: writePieces(waits: true)
        }
        if hasFailed.load(ordering: .relaxed), let error = sink.withLock({ $0.error }) {
            throw error
        }
        return .more
    }

    /// Writes what waits; several threads may try, one does.
    ///
    /// - Parameter waits: whether to wait for who is at it, and then to go on: what is left when that
    ///   one ends is otherwise left to the next piece, or to `finish`.
    private func writePieces(waits: Bool) {
        var wrote = true
        while wrote {
            wrote =
                waits
                ? sink.withLock { writePiece(to: &$0) }
                : sink.withLockIfAvailable { writePiece(to: &$0) } ?? false
        }
    }

    private func writePiece(to sink: inout Sink) -> Bool {
        guard var piece = state.withLock({ $0.takePiece() }) else { return false }
        sink.write(piece.span)
        if sink.error != nil { hasFailed.store(true, ordering: .relaxed) }
        pool.giveBack(&piece)
        return true
    }

    /// The beginning of a body that was not kept, where it is text.
    var excerpt: String {
        let bytes = state.withLock { $0.excerpt }
        return bytes.isEmpty || bytes.contains(0)
            ? "" : Excerpt.of(bytes, hiding: check.request?.secrets ?? [])
    }

    /// Whether the bytes end as a picture of their format does.
    var looksWhole: Bool {
        state.withLock {
            PictureEnd.isThere(head: $0.head, tail: $0.tail, bytes: $0.bytes)
        }
    }

    var bytes: Int { state.withLock { $0.bytes } }

    /// Gives the file its name, if it is to be kept.
    ///
    /// Waits for the disk. Only the body of a 200 is finished, and only once.
    func finish(subject: @autoclosure () -> String) throws(StoreError) -> Outcome {
        let (head, bytes) = state.withLock { ($0.head, $0.bytes) }
        let refusal = check.refusal(
            head: head,
            bytes: bytes,
            sender: "the server answered 200 with",
            subject: subject()
        )
        if let refusal { return .refused(refusal) }
        writePieces(waits: true)
        let format = FileFormat.sniff(head.span)
        return try sink.withLock { sink throws(StoreError) in
            var rest = state.withLock { $0.takeRest() }
            defer { pool.giveBack(&rest) }
            let writer = try sink.takeWriter()
            let file = try writer.finish(
                appending: rest.span,
                fileExtension: format.fileExtension
            )
            return .kept(file, format)
        }
    }
}

/// The file that the pieces go to.
private struct Sink: ~Copyable {
    let store: Store
    let expected: PromisedDigest?
    let isLikelyNew: Bool
    private var writer: StoreWriter?
    private(set) var error: StoreError?

    init(store: Store, expected: PromisedDigest?, isLikelyNew: Bool) {
        self.store = store
        self.expected = expected
        self.isLikelyNew = isLikelyNew
    }

    mutating func write(_ piece: Span<UInt8>) {
        guard error == nil else { return }
        do {
            if writer == nil { writer = try newWriter() }
            try writer?.write(piece)
        } catch {
            self.error = error
            writer = nil
        }
    }

    /// The writer, for the last bytes: of a body that is one piece they are all.
    mutating func takeWriter() throws(StoreError) -> StoreWriter {
        if let error { throw error }
        if let begun = writer.take() { return begun }
        return try newWriter()
    }

    private func newWriter() throws(StoreError) -> StoreWriter {
        try store.writer(expecting: expected, isLikelyNew: isLikelyNew)
    }
}

/// What has come of a body.
private struct State: ~Copyable {
    enum Next {
        case more
        case enough
        /// There are pieces and nobody has been asked to write them.
        case write
        /// There are more pieces than shall wait.
        case help
        /// There are more pieces than may wait.
        case helpOrWait
    }

    /// The beginning of a body that is not kept.
    private(set) var excerpt: [UInt8] = []
    /// Of a body that is kept the first bytes and the length.
    private(set) var head: [UInt8] = []
    private(set) var bytes = 0

    /// The last bytes of a body that is kept.
    var tail: [UInt8] {
        Array((tailOfPieces + piece.suffix(Self.tailLength)).suffix(Self.tailLength))
    }

    private var isKept = false
    private var piece: [UInt8] = []
    /// Pieces that wait to be written.
    private var pieces: [[UInt8]] = []
    /// The last bytes before those of `piece`.
    private var tailOfPieces: [UInt8] = []
    private var hasWriter = false
    private var ignoredBytes = 0

    private static let usualQueue = 2
    private static let longestQueue = 4
    /// How much of the last bytes tells whether a picture has an end.
    private static let tailLength = 32
    /// A longer error page is not worth keeping the connection for.
    private static let longestErrorPage = 64 * 1024

    mutating func keep(in piece: [UInt8]) {
        isKept = true
        self.piece = piece
    }

    mutating func receive(_ new: Span<UInt8>, _ check: BodyCheck, _ pool: PiecePool) -> Next {
        guard isKept else { return ignore(new) }
        bytes += new.count
        if head.count < FileFormat.headLength {
            new.extracting(first: FileFormat.headLength - head.count).append(to: &head)
            // Sixty megabytes of film need not come to the end.
            if head.count == FileFormat.headLength,
                !check.formats.contains(FileFormat.sniff(head.span))
            {
                return .enough
            }
        }
        if piece.count + new.count > PiecePool.pieceLength, !piece.isEmpty {
            tailOfPieces = tail
            pieces.append(piece)
            piece = pool.take(for: PiecePool.pieceLength)
        }
        new.append(to: &piece)
        guard !pieces.isEmpty else { return .more }
        if pieces.count > Self.longestQueue { return .helpOrWait }
        if pieces.count > Self.usualQueue { return .help }
        defer { hasWriter = true }
        return hasWriter ? .more : .write
    }

    mutating func takePiece() -> [UInt8]? {
        guard !pieces.isEmpty else {
            hasWriter = false
            return nil
        }
        return pieces.removeFirst()
    }

    mutating func takeRest() -> [UInt8] {
        defer { piece = [] }
        return piece
    }

    private mutating func ignore(_ new: Span<UInt8>) -> Next {
        for index in 0..<min(new.count, 4 * Excerpt.length - excerpt.count) {
            excerpt.append(new[index])
        }
        ignoredBytes += new.count
        return ignoredBytes < Self.longestErrorPage ? .more : .enough
    }
}
