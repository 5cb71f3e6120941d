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
    /// - Throws: `notAnExport` where something is there that no export made.
    init(_ path: String) throws {
        // A link to an export stays: what it leads to is replaced.
        let isThere = Files.exists(path)
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
        try Files.exchange(path, with: finished)
        try Files.syncDirectory(folder)
        try Files.removeTree(finished)
    }

    private func check() throws {
        guard Files.exists(path) else { return }
        if try FileStatus(of: path).kind == .directory {
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
}
