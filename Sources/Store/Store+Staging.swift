internal import Digest
internal import System

extension Store {
    /// Writes bytes for another process to adopt: a process that may write to the temporary folder
    /// and nowhere else can do that.
    package func stage(
        _ bytes: Span<UInt8>,
        fileExtension: String
    ) throws(StoreError) -> StagedFile {
        var writer = try writer()
        try writer.write(bytes)
        return try writer.stage(fileExtension: fileExtension)
    }

    /// Gives a staged file its name.
    ///
    /// What is said of it is not believed: its name must lie in the temporary folder, and its bytes
    /// must have the digest. Where the store has the file already, that one stays.
    ///
    /// - Throws: `StoreError` with the code `notAsStaged` where the file is not what was said.
    package func adopt(_ staged: StagedFile) throws(StoreError) -> StoredFile {
        guard staged.isWellFormed else {
            throw Self.notAsStaged(folder, "no process of this program stages such a file")
        }
        let name = name(of: staged)
        let stored = StoredFile(file: name, digest: staged.digest, bytes: staged.bytes)
        guard let temporaryName = staged.temporaryName else {
            guard holds(name, bytes: staged.bytes) else {
                throw Self.notAsStaged(name, "said to be in the store, and is not")
            }
            return stored
        }
        let path = "\(temporaryFolder)/\(temporaryName)"
        try check(path, staged)
        do throws(SystemError) {
            if holds(name, bytes: staged.bytes) {
                try Files.remove(path)
            } else {
                try Files.rename(path, to: self.path(of: name), makingFolders: true)
            }
        } catch {
            throw StoreError(writing: error)
        }
        return stored
    }

    /// Removes what a process that has ended left in the temporary folder.
    package func removeTemporaryFiles(ofProcess identifier: Int32) throws(StoreError) {
        let prefix = TemporaryFile.prefix(ofProcess: identifier)
        do {
            for name in try Files.entries(of: temporaryFolder) where name.hasPrefix(prefix) {
                try Files.remove("\(temporaryFolder)/\(name)")
            }
        } catch {
            throw StoreError(writing: error)
        }
    }

    /// The name that a staged file gets.
    package func name(of staged: StagedFile) -> String {
        name(digest: staged.digest, fileExtension: staged.fileExtension)
    }

    private func check(_ path: String, _ staged: StagedFile) throws(StoreError) {
        let status: FileStatus
        do { status = try FileStatus(of: path, followingLinks: false) } catch {
            throw Self.cannotRead(error)
        }
        guard status.kind == .regular, status.bytes == staged.bytes, status.links == 1 else {
            throw Self.notAsStaged(path, "a staged file is not the one that was described")
        }
        let digest: ContentDigest
        do { digest = try Self.digest(of: path, .sha256) } catch {
            throw error.cause.map(Self.cannotRead) ?? error
        }
        guard digest.hex == staged.digest else {
            throw Self.notAsStaged(path, "a staged file has other bytes than was said")
        }
    }

    private static func cannotRead(_ cause: SystemError) -> StoreError {
        guard cause.code == .notFound else { return StoreError(writing: cause) }
        return StoreError(
            code: .stagedLost,
            subject: cause.subject,
            message: "it is not there any more; does something else remove files there?",
            cause: cause
        )
    }

    /// Reads a file from front to back.
    ///
    /// - Parameters:
    ///   - path: where it is.
    ///   - algorithm: which digest.
    /// - Returns: the digest of its bytes.
    /// - Throws: where it cannot be read, or the digest cannot be computed here.
    static func digest(
        of path: String,
        _ algorithm: DigestAlgorithm
    ) throws(StoreError) -> ContentDigest {
        do {
            let reader = try FileReader(path)
            var hasher = try ContentHasher(algorithm)
            var buffer = [UInt8](repeating: 0, count: 64 * 1024)
            while true {
                let count = try reader.read(into: &buffer)
                if count == 0 { return hasher.finish() }
                hasher.update(buffer.span.extracting(0..<count))
            }
        } catch let error as SystemError {
            throw StoreError(reading: error)
        } catch let error as DigestError {
            throw StoreError(error)
        } catch {
            preconditionFailure("only the errors of the system and of digests are thrown here")
        }
    }

    private static func notAsStaged(_ subject: String, _ message: String) -> StoreError {
        StoreError(code: .notAsStaged, subject: subject, message: message)
    }
}

extension StagedFile {
    /// Whether its words can be names of files, and lead nowhere else.
    fileprivate var isWellFormed: Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let hex = UInt8(ascii: "a")...UInt8(ascii: "f")
        return bytes > 0 && digest.utf8.count == 64
            && digest.utf8.allSatisfy { digits.contains($0) || hex.contains($0) }
            && (1...8).contains(fileExtension.utf8.count)
            && fileExtension.utf8.allSatisfy { letters.contains($0) || digits.contains($0) }
            && (temporaryName.map { name in
                !name.isEmpty
                    && name.utf8.allSatisfy {
                        letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "-")
                    }
            } ?? true)
    }
}
