import CSystem
import Glibc

extension Files {
    /// Copies a file's bytes to a new file with the given permissions, whatever the umask.
    ///
    /// Where the file system can, both share their blocks. Fails with `exists` where the name is taken.
    package static func copy(
        _ path: String,
        to target: String,
        permissions: Int
    ) throws(SystemError) {
        let source = unsafe csystem_open(path, O_RDONLY | O_CLOEXEC, 0)
        guard source >= 0 else { throw SystemError(errno: errno, cannot: "open it", path) }
        defer { close(source) }
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        let copy = unsafe csystem_open(target, flags, 0o600)
        guard copy >= 0 else { throw SystemError(errno: errno, cannot: "make it", target) }
        defer { close(copy) }
        try copyBytes(source, path, to: copy, target)
        guard fchmod(copy, mode_t(permissions)) == 0 else {
            throw SystemError(errno: errno, cannot: "set its mode", target)
        }
    }

    private static func copyBytes(
        _ source: Int32,
        _ path: String,
        to copy: Int32,
        _ target: String
    ) throws(SystemError) {
        while true {
            let count = csystem_copy(source, copy, 1 << 30)
            if count == 0 { return }
            if count > 0 || errno == EINTR { continue }
            // Two file systems that do not know each other, or one that cannot.
            guard [EXDEV, EINVAL, ENOSYS, EOPNOTSUPP, EBADF].contains(errno) else {
                throw SystemError(errno: errno, cannot: "copy \(path) to it", target)
            }
            break
        }
        var buffer = [UInt8](repeating: 0, count: 256 * 1024)
        while true {
            let count = unsafe read(source, &buffer, buffer.count)
            if count == 0 { return }
            if count < 0 {
                if errno == EINTR { continue }
                throw SystemError(errno: errno, cannot: "read it", path)
            }
            try writeAll(buffer.span.extracting(0..<count), to: copy, path: target)
        }
    }

    /// Sets when a file was last read and written.
    package static func setDates(_ path: String, to time: WallTime) throws(SystemError) {
        let seconds = time.secondsSince1970
        let rest = time.nanosecondsSince1970 - seconds * 1_000_000_000
        let moment = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
        guard unsafe utimensat(AT_FDCWD, path, [moment, moment], 0) == 0 else {
            throw SystemError(errno: errno, cannot: "set its dates", path)
        }
    }

    /// Sets who may read, write and execute it.
    package static func setPermissions(_ path: String, to permissions: Int) throws(SystemError) {
        guard unsafe chmod(path, mode_t(permissions)) == 0 else {
            throw SystemError(errno: errno, cannot: "set its mode", path)
        }
    }

    /// Has two paths change their names: at once where the file system can.
    ///
    /// Elsewhere the first is without a file for a moment.
    package static func exchange(_ path: String, with other: String) throws(SystemError) {
        if unsafe csystem_exchange(path, other) == 0 { return }
        guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(errno) else {
            throw SystemError(errno: errno, cannot: "put \(other) in its place", path)
        }
        let aside = "\(other)-aside"
        try rename(path, to: aside)
        do { try rename(other, to: path) } catch {
            try? rename(aside, to: path)
            throw error
        }
        try rename(aside, to: other)
    }

    /// Removes a folder with all that is in it; a link to a folder is a file here, and what it leads to
    /// stays.
    package static func removeTree(_ folder: String) throws(SystemError) {
        for name in try entries(of: folder) {
            let path = "\(folder)/\(name)"
            if try FileStatus(of: path, followingLinks: false).kind == .directory {
                try removeTree(path)
            } else {
                try remove(path)
            }
        }
        guard unsafe rmdir(folder) == 0 || errno == ENOENT else {
            throw SystemError(errno: errno, cannot: "remove it", folder)
        }
    }
}
