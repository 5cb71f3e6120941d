package import Digest
internal import System

/// Content-addressed files in a folder of the cache directory.
///
/// Store owns the names of files and how they come to be: written under a temporary name, renamed
/// when they are whole, named by the SHA-256 of their bytes and their true extension. So equal
/// bytes are one file, a file never changes, and several processes may add at once. It must not
/// know what a file is for: variants and originals are two stores of one kind.
///
/// A rename is not yet on the disk. Before rows that name files are committed, `sync()` must have
/// returned: files before rows.
package struct Store: Sendable, Hashable {
    /// The cache directory.
    package let root: String
    /// The folder below it.
    package let folder: String

    /// Opens the store, and makes its folders where they are missing.
    package init(root: String, folder: String = "store") throws(StoreError) {
        precondition(!folder.isEmpty && !folder.contains("/"), "a store is one folder of the cache")
        self.root = root
        self.folder = folder
        do {
            try Files.createDirectories("\(root)/\(folder)")
            try Files.createDirectories(temporaryFolder)
        } catch {
            throw StoreError(writing: error)
        }
    }

    /// A store that is only looked at: nothing is made, and nothing has to be there.
    package init(lookingAt root: String, folder: String = "store") {
        self.root = root
        self.folder = folder
    }

    /// Adds bytes that are all there.
    package func add(
        _ bytes: Span<UInt8>,
        fileExtension: String
    ) throws(StoreError) -> StoredFile {
        try writer().finish(appending: bytes, fileExtension: fileExtension)
    }

    /// Begins a file whose bytes come piece by piece.
    ///
    /// - Parameters:
    ///   - expecting: the digest that they must turn out to have.
    ///   - isLikelyNew: where they are likely to be here already, the store is asked for them before
    ///     they are written.
    /// - Returns: what takes the bytes.
    /// - Throws: where the digest cannot be computed here.
    package func writer(
        expecting: ContentDigest? = nil,
        isLikelyNew: Bool = false
    ) throws(StoreError) -> StoreWriter {
        try StoreWriter(self, expecting: expecting, isLikelyNew: isLikelyNew)
    }

    /// Where a file is, absolute if the root is.
    package func path(of file: String) -> String { "\(root)/\(file)" }

    /// Whether a file is there with its size.
    ///
    /// An empty one counts as missing. The bytes are not read: that is `verify`'s task.
    package func holds(_ file: String, bytes: Int) -> Bool {
        bytes > 0 && Files.size(of: path(of: file)) == bytes
    }

    /// Takes a file of another store in, by a hard link where the file system can, else a copy.
    package func link(_ file: StoredFile, from other: Store) throws(StoreError) -> StoredFile {
        let source = other.path(of: file.file)
        let name = name(digest: file.digest, fileExtension: Self.fileExtension(of: file.file))
        let taken = StoredFile(file: name, digest: file.digest, bytes: file.bytes)
        if holds(name, bytes: file.bytes) { return taken }
        guard Files.size(of: source) == file.bytes else {
            throw StoreError(
                code: .notFound,
                subject: source,
                message: "not there with its \(file.bytes) bytes; it will be made again"
            )
        }
        do {
            let temporary = "\(temporaryFolder)/\(TemporaryFile.uniqueName())"
            try Files.hardLink(source, to: temporary)
            // A rename of one link over another of the same file leaves both names.
            defer { try? Files.remove(temporary) }
            try Files.rename(temporary, to: path(of: name), makingFolders: true)
            return taken
        } catch {
            switch error.code {
            case .diskFull, .io: throw StoreError(writing: error)
            default: return try copy(taken, from: source)
            }
        }
    }

    private func copy(_ file: StoredFile, from source: String) throws(StoreError) -> StoredFile {
        let digest: ContentDigest
        do { digest = try ContentDigest("sha256:\(file.digest)") } catch {
            throw StoreError(error)
        }
        var writer = try writer(expecting: digest)
        try writer.copy(try Self.reader(source))
        return try writer.finish(fileExtension: Self.fileExtension(of: file.file))
    }

    static func reader(_ path: String) throws(StoreError) -> FileReader {
        do { return try FileReader(path) } catch { throw StoreError(reading: error) }
    }

    /// Has every file added so far on the disk when it returns.
    package func sync() throws(StoreError) {
        do { try Files.syncFileSystem(containing: "\(root)/\(folder)") } catch {
            throw StoreError(writing: error)
        }
    }

    /// Removes a file; one that is not there is fine.
    package func remove(_ file: String) throws(StoreError) {
        do { try Files.remove(path(of: file)) } catch { throw StoreError(writing: error) }
    }

    /// Removes what writers that have died left behind.
    ///
    /// Only the holder of the cache directory's lock may call it, before it starts others: a file
    /// that somebody is writing would go too. This process's own files stay.
    package func sweepTemporaryFiles() throws(StoreError) {
        for name in try abandonedTemporaryFiles() {
            do { try Files.remove("\(temporaryFolder)/\(name)") } catch {
                throw StoreError(writing: error)
            }
        }
    }

    /// Visits every file, in the order of names.
    package func forEachFile(
        _ visit: (_ file: String, _ bytes: Int) throws -> Void
    ) throws {
        for part in try Files.entries(of: "\(root)/\(folder)") {
            guard (try? FileStatus(of: "\(root)/\(folder)/\(part)"))?.kind == .directory else {
                continue
            }
            for name in try Files.entries(of: "\(root)/\(folder)/\(part)") {
                let file = "\(folder)/\(part)/\(name)"
                if let bytes = Files.size(of: path(of: file)) { try visit(file, bytes) }
            }
        }
    }

    /// Removes every file.
    package func removeAll(but kept: Set<String> = []) throws {
        try forEachFile { file, _ in if !kept.contains(file) { try remove(file) } }
    }

    // MARK: - Names

    /// `store/ab/abcd....webp`: 256 folders keep each one small.
    func name(digest: String, fileExtension: String) -> String {
        "\(folder)/\(digest.prefix(2))/\(digest).\(fileExtension)"
    }

    /// On the same file system as the store, so that a rename is enough.
    var temporaryFolder: String { Self.temporaryFolder(of: root) }

    /// Where the files of a cache directory are before they have their names.
    package static func temporaryFolder(of root: String) -> String { "\(root)/tmp" }

    static func fileExtension(of file: String) -> String {
        String(file[(file.lastIndex(of: ".").map(file.index(after:)) ?? file.endIndex)...])
    }
}
