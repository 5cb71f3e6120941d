import CSystem
import Glibc

/// What is done to whole files and folders by name.
package enum Files {
    /// Whether anything is at the path, a symbolic link followed.
    package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// The size of the regular file at a path; `nil` where there is none.
    package static func size(of path: String) -> Int? {
        guard let status = try? FileStatus(of: path), status.kind == .regular else { return nil }
        return status.bytes
    }

    /// The bytes that are free on a folder's file system for who runs this.
    package static func freeBytes(at path: String) throws(SystemError) -> Int {
        var status = statvfs()
        guard unsafe statvfs(path, &status) == 0 else {
            throw SystemError(errno: errno, cannot: "see how full its disk is", path)
        }
        return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }

    /// Makes a folder and those above it; one that exists is fine.
    package static func createDirectories(_ path: String) throws(SystemError) {
        if unsafe mkdir(path, 0o777) == 0 { return }
        let number = errno
        if number == ENOENT, let parent = parent(of: path) {
            try createDirectories(parent)
            if unsafe mkdir(path, 0o777) == 0 { return }
            guard errno == EEXIST else {
                throw SystemError(errno: errno, cannot: "make the folder", path)
            }
        } else if number != EEXIST {
            throw SystemError(errno: number, cannot: "make the folder", path)
        }
        guard try FileStatus(of: path).kind == .directory else {
            throw SystemError(errno: ENOTDIR, cannot: "make the folder", path)
        }
    }

    /// Gives a file another name at once, in place of what had that name.
    ///
    /// Both names are on one file system. With `makingFolders` the folders of the new name are made
    /// where they are missing.
    package static func rename(
        _ path: String,
        to target: String,
        makingFolders: Bool = false
    ) throws(SystemError) {
        if unsafe Glibc.rename(path, target) == 0 { return WritePoint.fileNamed.pass() }
        // An empty folder in a file's place is in nobody's way.
        if errno == EISDIR, unsafe rmdir(target) == 0 { return try rename(path, to: target) }
        guard errno == ENOENT, makingFolders, let parent = parent(of: target) else {
            throw SystemError(errno: errno, cannot: "rename \(path) to it", target)
        }
        try createDirectories(parent)
        try rename(path, to: target)
    }

    /// Gives a file a name that nothing has, and the folders of that name where they are missing.
    ///
    /// - Returns: false where something has it; then nothing is changed.
    static func renameToNew(_ path: String, _ target: String) throws(SystemError) -> Bool {
        var result = unsafe csystem_rename_to_new(path, target)
        if result != 0, errno == ENOENT, let parent = parent(of: target) {
            try createDirectories(parent)
            result = unsafe csystem_rename_to_new(path, target)
        }
        if result == 0 {
            WritePoint.fileNamed.pass()
            return true
        }
        switch errno {
        case EEXIST: return false
        case EINVAL, ENOSYS:
            // Not every file system can do it in one step.
            guard !exists(target) else { return false }
            try rename(path, to: target, makingFolders: true)
            return true
        case let number: throw SystemError(errno: number, cannot: "rename \(path) to it", target)
        }
    }

    /// Removes a file, or an empty folder; one that is not there is fine.
    package static func remove(_ path: String) throws(SystemError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT || (errno == EISDIR && rmdir(path) == 0)
        else {
            throw SystemError(errno: errno, cannot: "remove it", path)
        }
        WritePoint.fileRemoved.pass()
    }

    /// Gives a file a second name; fails with `exists` where that name is taken.
    package static func hardLink(_ path: String, to target: String) throws(SystemError) {
        guard unsafe link(path, target) == 0 else {
            throw SystemError(errno: errno, cannot: "link \(path) to it", target)
        }
    }

    /// The names in a folder, in byte order, without `.` and `..`.
    package static func entries(of directory: String) throws(SystemError) -> [String] {
        guard let stream = unsafe opendir(directory) else {
            throw SystemError(errno: errno, cannot: "list the folder", directory)
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else { break }
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        guard errno == 0 else {
            throw SystemError(errno: errno, cannot: "list the folder", directory)
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The path without symbolic links, `.` and `..`; it must exist.
    package static func resolved(_ path: String) throws(SystemError) -> String {
        guard let real = unsafe realpath(path, nil) else {
            throw SystemError(errno: errno, cannot: "find it", path)
        }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    /// Where a path leads to through symbolic links, even where nothing is there.
    package static func followed(_ path: String) throws(SystemError) -> String {
        if let real = try? resolved(path) { return real }
        var path = path
        // As many as the system follows.
        for _ in 0..<40 {
            guard let target = linkTarget(of: path) else { return path }
            path = target.hasPrefix("/") ? target : "\(parent(of: path) ?? "/")/\(target)"
        }
        throw SystemError(errno: ELOOP, cannot: "find it", path)
    }

    /// What a symbolic link says; `nil` for what is none.
    private static func linkTarget(of path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The folder that a path lies in; `nil` for `/`.
    package static func parent(of path: String) -> String? {
        var bytes = Array(path.utf8)
        let slash = UInt8(ascii: "/")
        while bytes.count > 1, bytes.last == slash { bytes.removeLast() }
        guard bytes != [slash] else { return nil }
        guard let last = bytes.lastIndex(of: slash) else { return "." }
        return last == 0 ? "/" : String(decoding: bytes[..<last], as: UTF8.self)
    }

    /// Has everything written so far to the file system of a path on the disk when it returns.
    ///
    /// One call for a whole batch: an fsync for each of a million small files would take hours.
    package static func syncFileSystem(containing path: String) throws(SystemError) {
        try withDescriptor(path) { csystem_syncfs($0) }
        WritePoint.filesSynced.pass()
    }

    /// Has the names in a folder on the disk when it returns: a rename lasts only then.
    package static func syncDirectory(_ path: String) throws(SystemError) {
        try withDescriptor(path) { fsync($0) }
    }

    /// Has a file's bytes on the disk when it returns.
    package static func syncFile(_ path: String) throws(SystemError) {
        try withDescriptor(path) { fsync($0) }
    }

    private static func withDescriptor(
        _ path: String,
        _ sync: (Int32) -> Int32
    ) throws(SystemError) {
        let descriptor = unsafe csystem_open(path, O_RDONLY | O_CLOEXEC, 0)
        guard descriptor >= 0 else {
            throw SystemError(errno: errno, cannot: "open it to write it out", path)
        }
        defer { close(descriptor) }
        guard sync(descriptor) == 0 else {
            throw SystemError(errno: errno, cannot: "write it out to the disk", path)
        }
    }
}
