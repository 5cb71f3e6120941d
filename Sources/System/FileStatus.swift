import Glibc

/// What the file system knows about a file.
package struct FileStatus: Hashable, Sendable {
    package enum Kind: Sendable, Hashable { case regular, directory, other }

    package var kind: Kind
    package var bytes: Int
    /// Who may read, write and execute it: `0o644`.
    package var permissions: Int
    /// Nanoseconds since 1970, UTC.
    package var modifiedNanoseconds: Int64
    /// When anything of it was changed last, its name and owner too; nanoseconds since 1970, UTC.
    package var changedNanoseconds: Int64
    package var inode: UInt64
    package var device: UInt64
    package var links: Int

    /// Looks at a path, through symbolic links unless they are what is looked for.
    package init(of path: String, followingLinks: Bool = true) throws(SystemError) {
        var status = stat()
        let failed = unsafe followingLinks ? stat(path, &status) : lstat(path, &status)
        guard failed == 0 else {
            throw SystemError(errno: errno, cannot: "look at it", path)
        }
        self.init(status)
    }

    init(descriptor: Int32, path: String) throws(SystemError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw SystemError(errno: errno, cannot: "look at it", path)
        }
        self.init(status)
    }

    private init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .regular
        case S_IFDIR: kind = .directory
        default: kind = .other
        }
        bytes = Int(status.st_size)
        permissions = Int(status.st_mode & 0o7777)
        modifiedNanoseconds = Self.nanoseconds(status.st_mtim)
        changedNanoseconds = Self.nanoseconds(status.st_ctim)
        inode = UInt64(status.st_ino)
        device = UInt64(status.st_dev)
        links = Int(status.st_nlink)
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
