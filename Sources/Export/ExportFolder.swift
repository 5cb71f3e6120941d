internal import GearboxIndex
internal import Store
internal import System

/// An export in the making, under a name of its own beside the target's.
///
/// It takes the target's place at once and whole, or is gone with the value.
package final class ExportFolder {
    package private(set) var report = ExportReport()
    private let store: Store
    private let root: String
    private let now = WallTime.now()
    private var folders: Set<String> = []
    /// Where the copy of a file is whose dates are not the store's: its other names are links of it.
    private var copies: [String: String] = [:]
    private var canLink = true
    /// Files of the index that are not in the store, each once, and the first of them.
    private var missing: (first: String, all: Set<String>)?
    private var isDone = false

    init(of store: Store, for target: ExportTarget) throws {
        self.store = store
        root = target.temporaryPath
        try makeFolder("")
    }

    deinit { if !isDone { try? Files.removeTree(root) } }

    /// Where a path of the export is while it is made.
    func path(_ relative: String) -> String { relative.isEmpty ? root : "\(root)/\(relative)" }

    /// Makes a folder and those above it, open to every reader whatever the umask.
    func makeFolder(_ relative: String) throws {
        guard folders.insert(relative).inserted else { return }
        if let parent = relative.isEmpty ? nil : Files.parent(of: relative) {
            try makeFolder(parent == "." ? "" : parent)
        }
        try Files.createDirectories(path(relative))
        try Files.setPermissions(path(relative), to: 0o755)
    }

    /// Gives a picture one of its names.
    func place(_ name: IndexedName, at relative: String, dates: FileDates) throws {
        if try place(name.file, bytes: name.bytes, at: relative, dates: dates) {
            report.names += 1
        }
    }

    /// Puts a file of the store at a path of the export.
    ///
    /// Where it is there already, nothing is done.
    ///
    /// - Throws: `Refusal.taken` where another file is there.
    /// - Returns: whether it was not there before.
    @discardableResult
    func place(
        _ file: String,
        bytes: Int,
        at relative: String,
        dates: FileDates
    ) throws -> Bool {
        guard let status = status(of: file), status.bytes == bytes else {
            if missing == nil { missing = (file, []) }
            missing?.all.insert(file)
            return false
        }
        // The rest is only looked through for what else is missing.
        guard missing == nil else { return false }
        if let there = try? FileStatus(of: path(relative)) {
            guard try isSame(there, as: status, copies[file]) else { throw Refusal.taken }
            return false
        }
        if let folder = Files.parent(of: relative) { try makeFolder(folder) }
        if let copy = copies[file], link(copy, relative) {
            // Its dates are set.
        } else if dates == .any, status.permissions == 0o644, canLink,
            link(store.path(of: file), relative)
        {
            report.linked += 1
        } else {
            try Files.copy(store.path(of: file), to: path(relative), permissions: 0o644)
            switch dates {
            case .any: break
            case .now: try Files.setDates(path(relative), to: now)
            case .moment(let time): try Files.setDates(path(relative), to: time)
            }
            copies[file] = path(relative)
        }
        report.files += 1
        report.bytes += bytes
        return true
    }

    /// A file of the store, and nothing that an index from elsewhere could name outside it.
    private func status(of file: String) -> FileStatus? {
        guard file.hasPrefix("store/"), !file.split(separator: "/").contains("..") else {
            return nil
        }
        let status = try? FileStatus(of: store.path(of: file))
        return status?.kind == .regular ? status : nil
    }

    private func isSame(
        _ there: FileStatus,
        as stored: FileStatus,
        _ copy: String?
    ) throws -> Bool {
        if (there.inode, there.device) == (stored.inode, stored.device) { return true }
        guard let copy else { return false }
        return try FileStatus(of: copy).inode == there.inode
    }

    private func link(_ file: String, _ relative: String) -> Bool {
        do { try Files.hardLink(file, to: path(relative)) } catch {
            // One file may have too many links; no other failure goes away.
            if error.code != .tooManyLinks { canLink = false }
            return false
        }
        return true
    }

    /// Writes a small file.
    func write(_ text: String, at relative: String) throws {
        var file = try TemporaryFile(in: root, buffering: 0)
        try file.write(Array(text.utf8))
        try file.commit(to: path(relative))
        try Files.setPermissions(path(relative), to: 0o644)
    }

    /// Takes a file in that was made at its path.
    func adopt(_ relative: String) throws {
        try Files.setPermissions(path(relative), to: 0o644)
    }

    func holds(_ relative: String) -> Bool { Files.exists(path(relative)) }

    func remove(_ relative: String) throws { try Files.remove(path(relative)) }

    func count(names: Int) { report.names += names }

    func refuse(_ key: String, of name: IndexedName, _ refusal: Refusal) {
        report.refuse(key, of: name, refusal)
    }

    /// Throws where a file of the index was not in the store.
    func checkComplete() throws(ExportError) {
        guard let missing else { return }
        let kind = (try? FileStatus(of: store.path(of: missing.first)))?.kind
        let isFile = kind == nil || kind == .regular
        let others = missing.all.count - 1
        throw ExportError(
            code: .filesMissing,
            subject: store.path(of: missing.first),
            message: (isFile ? "not there with the size that the index says" : "no file; remove it")
                + (others > 0 ? ", and so are \(others) more" : "")
                + "; nothing was exported: run the pipeline, which makes them again"
        )
    }

    /// Puts the export in the target's place.
    func finish(at target: ExportTarget) throws {
        try Files.syncFileSystem(containing: root)
        try target.replace(by: root)
        isDone = true
    }
}
