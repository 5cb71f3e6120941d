internal import Digest
internal import System

/// A file of the store whose bytes are still coming: hashed as they are written.
///
/// Without `finish` nothing of it stays.
package struct StoreWriter: ~Copyable {
    /// The first bytes, for `FileFormat.sniff`.
    package private(set) var head: [UInt8] = []
    /// How many bytes have come.
    package private(set) var bytes = 0

    /// Most pictures are smaller: one that is there already costs no write at all.
    private static let bufferSize = 128 * 1024

    private let store: Store
    private let expected: ContentDigest?
    private let isLikelyNew: Bool
    private var file: TemporaryFile
    private var hasher: ContentHasher
    /// Where another digest than the name's is expected.
    private var second: ContentHasher?

    init(
        _ store: Store,
        expecting expected: ContentDigest?,
        isLikelyNew: Bool
    ) throws(StoreError) {
        let file = try Self.temporaryFile(in: store.temporaryFolder)
        let hasher = try Self.hasher(.sha256)
        var second: ContentHasher?
        if let algorithm = expected?.algorithm, algorithm != .sha256 {
            second = try Self.hasher(algorithm)
        }
        self.store = store
        self.expected = expected
        self.isLikelyNew = isLikelyNew
        self.file = file
        self.hasher = hasher
        self.second = second
    }

    private static func temporaryFile(in folder: String) throws(StoreError) -> TemporaryFile {
        do { return try TemporaryFile(in: folder, buffering: bufferSize) } catch {
            throw StoreError(writing: error)
        }
    }

    private static func hasher(_ algorithm: DigestAlgorithm) throws(StoreError) -> ContentHasher {
        do { return try ContentHasher(algorithm) } catch { throw StoreError(error) }
    }

    package mutating func write(_ piece: Span<UInt8>) throws(StoreError) {
        note(piece)
        do { try file.write(piece) } catch { throw StoreError(writing: error) }
    }

    private mutating func note(_ piece: Span<UInt8>) {
        let wanted = FileFormat.headLength - head.count
        for index in 0..<min(wanted, piece.count) { head.append(piece[index]) }
        bytes += piece.count
        hasher.update(piece)
        second?.update(piece)
    }

    /// Writes the rest of a file.
    mutating func copy(_ reader: borrowing FileReader) throws(StoreError) {
        var buffer = [UInt8](repeating: 0, count: 256 * 1024)
        while true {
            let count: Int
            do { count = try reader.read(into: &buffer) } catch {
                throw StoreError(reading: error)
            }
            if count == 0 { return }
            try write(buffer.span.extracting(0..<count))
        }
    }

    /// What the bytes so far are.
    package var format: FileFormat { FileFormat.sniff(head.span) }

    /// Gives the file its name.
    ///
    /// Where the store has it already, that one stays; one of the wrong size is replaced.
    ///
    /// - Parameters:
    ///   - last: the file's last bytes, or all of them: they are not copied on their way.
    ///   - fileExtension: what its name ends with.
    /// - Returns: the file.
    /// - Throws: where the digest is not the promised one, or the disk refuses it.
    package consuming func finish(
        appending last: Span<UInt8> = Span(),
        fileExtension: String
    ) throws(StoreError) -> StoredFile {
        note(last)
        let digest = hasher.finish()
        try store.check(digest, second.take()?.finish(), against: expected)
        let name = store.name(digest: digest.hex, fileExtension: fileExtension)
        let stored = StoredFile(file: name, digest: digest.hex, bytes: bytes)
        if !isLikelyNew, store.holds(name, bytes: bytes) { return stored }
        do {
            try file.commit(toContent: store.path(of: name), bytes: bytes, appending: last)
        } catch {
            throw StoreError(writing: error)
        }
        return stored
    }

    /// Leaves the file for another process to name, or nothing where the store has it already.
    consuming func stage(fileExtension: String) throws(StoreError) -> StagedFile {
        let digest = hasher.finish()
        try store.check(digest, second.take()?.finish(), against: expected)
        var staged = StagedFile(
            temporaryName: nil,
            digest: digest.hex,
            fileExtension: fileExtension,
            bytes: bytes
        )
        if store.holds(store.name(of: staged), bytes: bytes) { return staged }
        do { staged.temporaryName = try file.leave() } catch { throw StoreError(writing: error) }
        return staged
    }
}

extension Store {
    /// Holds the digests of a file's bytes against the promised one.
    fileprivate func check(
        _ digest: ContentDigest,
        _ second: ContentDigest?,
        against expected: ContentDigest?
    ) throws(StoreError) {
        guard let expected else { return }
        let actual = second ?? digest
        guard actual == expected else {
            throw StoreError(
                code: .digestMismatch,
                subject: folder,
                message: "the bytes have \(actual), not the promised \(expected)"
            )
        }
    }
}
