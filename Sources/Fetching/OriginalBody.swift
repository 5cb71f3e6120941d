internal import Store
internal import Synchronization
internal import Transfer

/// Takes the body of one response: a picture into the store, of anything else the beginning.
final class OriginalBody: BodyReceiving {
    /// How an answered transfer's body is to be seen.
    enum Outcome: Sendable {
        case kept(StoredFile, FileFormat)
        case refused(FetchError)
    }

    private let store: Store
    private let check: BodyCheck
    private let expected: PromisedDigest?
    private let state = Mutex(State())

    init(_ store: Store, _ check: BodyCheck, expecting expected: PromisedDigest?) {
        self.store = store
        self.check = check
        self.expected = expected
    }

    func begin(_ head: ResponseHead) throws {
        guard head.status == 200 else { return }
        try state.withLock { $0.writer = try store.writer(expecting: expected) }
    }

    func receive(_ bytes: Span<UInt8>) throws -> BodyDemand {
        try state.withLock { state in
            guard state.writer != nil else { return state.ignore(bytes) }
            try state.writer?.write(bytes)
            state.keepTail(of: bytes)
            guard !state.isKnown, let head = state.writer?.head,
                head.count == FileFormat.headLength
            else { return .more }
            // Sixty megabytes of film need not come to the end.
            state.isKnown = true
            return check.formats.contains(FileFormat.sniff(head.span)) ? .more : .enough
        }
    }

    /// The beginning of a body that was not kept.
    var excerpt: String {
        let bytes = state.withLock { $0.excerpt }
        return bytes.isEmpty ? "" : Excerpt.of(bytes, hiding: check.request?.secrets ?? [])
    }

    /// Whether the bytes end as a picture of their format does.
    var looksWhole: Bool {
        state.withLock { state in
            guard let head = state.writer?.head, let bytes = state.writer?.bytes else {
                return true
            }
            return PictureEnd.isThere(head: head, tail: state.tail, bytes: bytes)
        }
    }

    var bytes: Int { state.withLock { $0.writer?.bytes ?? 0 } }

    /// Gives the file its name, if it is to be kept.
    ///
    /// Waits for the disk.
    func finish(subject: String) throws(StoreError) -> Outcome {
        try state.withLock { state throws(StoreError) in
            guard let writer = state.writer.take() else {
                preconditionFailure("only the body of a 200 is finished, and only once")
            }
            let refusal = check.refusal(
                head: writer.head,
                bytes: writer.bytes,
                sender: "the server answered 200 with",
                subject: subject
            )
            if let refusal { return .refused(refusal) }
            let format = writer.format
            return .kept(try writer.finish(fileExtension: format.fileExtension), format)
        }
    }
}

/// What has come of a body.
private struct State: ~Copyable {
    var writer: StoreWriter?
    /// Whether the format was told by the first bytes.
    var isKnown = false
    /// The beginning of a body that is not kept.
    var excerpt: [UInt8] = []
    var tail: [UInt8] = []
    private var ignoredBytes = 0

    /// How much of the last bytes tells whether a picture has an end.
    private static let tailLength = 32
    /// A longer error page is not worth keeping the connection for.
    private static let longestErrorPage = 64 * 1024

    mutating func ignore(_ bytes: Span<UInt8>) -> BodyDemand {
        for index in 0..<min(bytes.count, 4 * Excerpt.length - excerpt.count) {
            excerpt.append(bytes[index])
        }
        ignoredBytes += bytes.count
        return ignoredBytes < Self.longestErrorPage ? .more : .enough
    }

    mutating func keepTail(of bytes: Span<UInt8>) {
        for index in max(0, bytes.count - Self.tailLength)..<bytes.count {
            tail.append(bytes[index])
        }
        tail.removeFirst(max(0, tail.count - Self.tailLength))
    }
}
