internal import Digest
internal import System

/// What is wrong with a file of the store.
package enum FileFault: String, Sendable, CaseIterable, Hashable {
    case missing
    case wrongSize = "wrong size"
    /// Its bytes have another digest than its name.
    case wrongDigest = "wrong digest"
    /// Its bytes are not of the format that its name ends with.
    case notAPicture = "not a picture"
    /// The disk, or a mode, does not let it be read.
    case unreadable
}

extension Store {
    /// A buffer for `fault`.
    package static func readBuffer() -> [UInt8] { [UInt8](repeating: 0, count: 256 * 1024) }

    /// Whether a name is one that this store gives: `store/ab/abcd....webp`.
    package func names(_ file: String) -> Bool {
        guard let parts = Self.parts(of: file), parts.digest.utf8.count == 64 else { return false }
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return (parts.digest + parts.fileExtension).utf8.allSatisfy {
            letters.contains($0) || digits.contains($0)
        } && file == name(digest: parts.digest, fileExtension: parts.fileExtension)
    }

    /// Reads a file from front to back and holds it against its name.
    ///
    /// - Parameters:
    ///   - file: its name.
    ///   - bytes: how many it shall have.
    ///   - buffer: from `readBuffer`, used again for the next file.
    /// - Returns: what is wrong; `nil` where nothing is.
    /// - Throws: `unusable` where other files would fail the same way.
    package func fault(
        of file: String,
        bytes: Int,
        _ buffer: inout [UInt8]
    ) throws(StoreError) -> FileFault? {
        guard let parts = Self.parts(of: file) else { return .wrongDigest }
        var hasher: ContentHasher
        do { hasher = try ContentHasher(.sha256) } catch { throw StoreError(error) }
        var format = FileFormat.empty
        var read = 0
        do {
            let reader = try FileReader(path(of: file))
            let status = try reader.status()
            guard status.kind == .regular else { return .unreadable }
            guard status.bytes == bytes, bytes > 0 else { return .wrongSize }
            while read < bytes {
                let count = try reader.read(into: &buffer)
                if count == 0 { return .wrongSize }
                if read == 0 { format = FileFormat.sniff(buffer.span.extracting(..<count)) }
                hasher.update(buffer.span.extracting(..<count))
                read += count
            }
        } catch {
            switch StoreError(reading: error).code {
            case .notFound: return .missing
            case .unreadable: return .unreadable
            default: throw StoreError(reading: error)
            }
        }
        if hasher.finish().hex != parts.digest { return .wrongDigest }
        return format.fileExtension == parts.fileExtension ? nil : .notAPicture
    }

    /// The store's folders: `ab`; what else lies there is somebody else's.
    package func folders() throws(StoreError) -> [String] {
        try entries(of: folder).filter { name in
            name.utf8.count == 2 && name.utf8.allSatisfy { $0.isHexDigit }
                && (try? FileStatus(of: path(of: "\(folder)/\(name)")))?.kind == .directory
        }
    }

    /// What lies in one of the store's folders, by names as rows have them.
    package func files(in part: String) throws(StoreError) -> [String] {
        try entries(of: "\(folder)/\(part)").map { "\(folder)/\(part)/\($0)" }
    }

    private func entries(of path: String) throws(StoreError) -> [String] {
        do { return try Files.entries(of: self.path(of: path)) } catch {
            throw StoreError(code: .unusable, cause: error)
        }
    }

    /// What processes that have ended left behind: see `sweepTemporaryFiles`.
    package func abandonedTemporaryFiles() throws(StoreError) -> [String] {
        do {
            return try Files.entries(of: temporaryFolder)
                .filter { !$0.hasPrefix(TemporaryFile.prefix) }
        } catch {
            throw StoreError(writing: error)
        }
    }

    /// The digest that a file of a store is named by; `nil` where it has no such name.
    package static func digest(named file: String) -> String? { parts(of: file)?.digest }

    private static func parts(
        of file: String
    ) -> (digest: String, fileExtension: String)? {
        guard let slash = file.lastIndex(of: "/") else { return nil }
        let name = file[file.index(after: slash)...]
        guard let dot = name.firstIndex(of: ".") else { return nil }
        return (String(name[..<dot]), String(name[name.index(after: dot)...]))
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
    }
}
