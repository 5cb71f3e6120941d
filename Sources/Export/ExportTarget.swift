internal import System

/// The place that an export is for: free, an empty folder, or an earlier export.
struct ExportTarget {
    /// Absolute.
    let path: String
    private let folder: String
    private let name: String
    let temporaryPath: String

    /// Finds the place.
    ///
    /// - Parameters:
    ///   - path: the place.
    ///   - cache: the cache directory that is exported.
    /// - Throws: `notAnExport` where something is there that no export made; `overCache`;
    ///   `mountPoint`.
    init(_ path: String, reading cache: String) throws {
        // A link to an export stays: what it leads to is replaced.
        let isThere = Files.exists(path)
        var above = path
        while !Files.exists(above), let parent = Files.parent(of: above) { above = parent }
        let cache = try Files.resolved(cache)
        // Before a folder is made in the cache directory.
        try Self.check(try Files.resolved(above), isOutside: cache)
        let parent = Files.parent(of: path) ?? "/"
        if !isThere { try Files.createDirectories(parent) }
        let end = path.split(separator: "/").last.map(String.init) ?? ""
        let real =
            isThere || end.isEmpty || end == "." || end == ".."
            ? try Files.resolved(path) : "\(try Files.resolved(parent))/\(end)"
        self.path = real
        folder = Files.parent(of: real) ?? "/"
        name = real.split(separator: "/").last.map(String.init) ?? ""
        temporaryPath = "\(folder)/.\(name).\(TemporaryFile.uniqueName())"
        try Self.check(real, isOutside: cache)
        if try Self.isSame(real, asAFolderOf: cache) { throw Self.overCache(real) }
        try check()
    }

    /// Removes what exports to this place left behind whose process was killed.
    func sweep() throws {
        let prefix = ".\(name)."
        guard Files.exists("/proc/self") else { return }
        for entry in try Files.entries(of: folder) where entry.hasPrefix(prefix) {
            let parts = entry.dropFirst(prefix.count).split(separator: "-")
            guard parts.count == 2, let process = Int32(parts[0]),
                !Files.exists("/proc/\(process)")
            else { continue }
            try Files.removeTree("\(folder)/\(entry)")
        }
    }

    /// Has a finished folder take the place.
    func replace(by finished: String) throws {
        try check()
        guard Files.exists(path) else {
            try Files.rename(finished, to: path)
            return try Files.syncDirectory(folder)
        }
        do throws(SystemError) { try Files.exchange(path, with: finished) } catch {
            // A folder of the same file system may be mounted there, too.
            if error.code == .busy { throw mountPoint }
            throw error
        }
        try Files.syncDirectory(folder)
        try Files.removeTree(finished)
    }

    /// What is read must not be replaced by what is made of it, whatever path leads to either.
    private static func check(_ path: String, isOutside cache: String) throws {
        if try isSame(cache, asAFolderOf: path) { throw overCache(path) }
    }

    private static func overCache(_ path: String) -> ExportError {
        ExportError(
            code: .overCache,
            subject: path,
            message: "it is, holds or lies in the cache directory that is read; name a folder"
                + " elsewhere"
        )
    }

    /// Whether a folder is one of those that a path lies in, or the path itself.
    private static func isSame(_ folder: String, asAFolderOf path: String) throws -> Bool {
        guard let wanted = try? FileStatus(of: folder) else { return false }
        var next: String? = path
        while let current = next {
            if let status = try? FileStatus(of: current),
                (status.inode, status.device) == (wanted.inode, wanted.device)
            {
                return true
            }
            next = Files.parent(of: current)
        }
        return false
    }

    private func check() throws {
        guard Files.exists(path) else { return }
        let status = try FileStatus(of: path)
        if status.kind == .directory {
            if try status.device != FileStatus(of: folder).device { throw mountPoint }
            if try Files.entries(of: path).isEmpty { return }
            if try ExportRecord.isIn(path) { return }
        }
        throw ExportError(
            code: .notAnExport,
            subject: path,
            message: "there is something that no export has made, or more than it made;"
                + " name another folder, or move it away"
        )
    }

    private var mountPoint: ExportError {
        ExportError(
            code: .mountPoint,
            subject: path,
            message: "it is a mount point, which nothing can take the place of; name a folder"
                + " inside it"
        )
    }
}
