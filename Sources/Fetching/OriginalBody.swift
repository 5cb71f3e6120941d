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

    private let store: Store
    private let check: BodyCheck
    private let expected: PromisedDigest?
    private let files: any TaskExecutor
    private let pool: PiecePool
    private let state = Mutex(State())
    /// Held from the taking of a piece to the end of its writing, so that pieces keep their order.
    private let sink = Mutex(Sink())

    init(
        _ store: Store,
        _ check: BodyCheck,
        expecting expected: PromisedDigest?,
        files: any TaskExecutor,
        pool: PiecePool
    ) {
        self.store = store
        self.check = check
        self.expected = expected
        self.files = files
        self.pool = pool
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
            Task(executorPreference: files) { self.writePieces() }
        case .help: writePieces()
        }
        if let error = sink.withLock({ $0.error }) { throw error }
        return .more
    }

    /// Writes what waits; several threads may try, one does.
    private func writePieces() {
        while true {
            let wrote = sink.withLock { sink -> Bool in
                guard let piece = state.withLock({ $0.takePiece() }) else { return false }
                sink.write(piece.span, to: store, expecting: expected)
                pool.giveBack(consume piece)
                return true
            }
            guard wrote else { return }
        }
    }

    /// The beginning of a body that was not kept.
    var excerpt: String {
        let bytes = state.withLock { $0.excerpt }
        return bytes.isEmpty ? "" : Excerpt.of(bytes, hiding: check.request?.secrets ?? [])
    }

    /// Whether the bytes end as a picture of their format does.
    var looksWhole: Bool {
        state.withLock { PictureEnd.isThere(head: $0.head, tail: $0.tail, bytes: $0.bytes) }
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
        writePieces()
        let format = FileFormat.sniff(head.span)
        return try sink.withLock { sink throws(StoreError) in
            let rest = state.withLock { $0.takeRest() }
            sink.write(rest.span, to: store, expecting: expected)
            pool.giveBack(consume rest)
            return .kept(try sink.finish(fileExtension: format.fileExtension), format)
        }
    }
}

/// The file that the pieces go to.
private struct Sink: ~Copyable {
    private var writer: StoreWriter?
    private(set) var error: StoreError?

    mutating func write(_ piece: Span<UInt8>, to store: Store, expecting: PromisedDigest?) {
        guard error == nil else { return }
        do {
            if writer == nil { writer = try store.writer(expecting: expecting) }
            try writer?.write(piece)
        } catch {
            self.error = error
            writer = nil
        }
    }

    mutating func finish(fileExtension: String) throws(StoreError) -> StoredFile {
        if let error { throw error }
        guard let writer = writer.take() else {
            preconditionFailure("only a body that has bytes is finished, and only once")
        }
        return try writer.finish(fileExtension: fileExtension)
    }
}

/// What has come of a body.
private struct State: ~Copyable {
    enum Next {
        case more
        case enough
        /// There are pieces and nobody has been asked to write them.
        case write
        /// There are more pieces than may wait.
        case help
    }

    /// The beginning of a body that is not kept.
    private(set) var excerpt: [UInt8] = []
    /// Of a body that is kept the first bytes, the last bytes and the length.
    private(set) var head: [UInt8] = []
    private(set) var tail: [UInt8] = []
    private(set) var bytes = 0

    private var isKept = false
    private var piece: [UInt8] = []
    /// Pieces that wait to be written.
    private var pieces: [[UInt8]] = []
    private var hasWriter = false
    private var ignoredBytes = 0

    private static let longestQueue = 2
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
        keepTail(of: new)
        if head.count < FileFormat.headLength {
            for index in 0..<min(new.count, FileFormat.headLength - head.count) {
                head.append(new[index])
            }
            // Sixty megabytes of film need not come to the end.
            if head.count == FileFormat.headLength,
                !check.formats.contains(FileFormat.sniff(head.span))
            {
                return .enough
            }
        }
        if piece.count + new.count > PiecePool.pieceLength, !piece.isEmpty {
            pieces.append(piece)
            piece = pool.take(for: PiecePool.pieceLength)
        }
        new.append(to: &piece)
        guard !pieces.isEmpty else { return .more }
        if pieces.count > Self.longestQueue { return .help }
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

    private mutating func keepTail(of new: Span<UInt8>) {
        for index in max(0, new.count - Self.tailLength)..<new.count { tail.append(new[index]) }
        tail.removeFirst(max(0, tail.count - Self.tailLength))
    }
}
