import Glibc

extension SystemError {
    /// Translates an errno, here and nowhere else.
    ///
    /// - Parameters:
    ///   - number: the errno of the failed call.
    ///   - action: what was being done, as it follows "cannot": "open", "write".
    ///   - subject: the path.
    init(errno number: Int32, cannot action: String, _ subject: String) {
        let (code, reason) = Self.meaning(of: number)
        self.init(
            code: code,
            subject: subject,
            message: "cannot \(action): \(reason)",
            number: number
        )
    }

    private static func meaning(of number: Int32) -> (Code, String) {
        switch number {
        case ENOSPC: (.diskFull, "no space is left on the disk; free some and run again")
        case EFBIG:
            (.diskFull, "a file would grow beyond what ulimit -f allows; raise it and run again")
        case EDQUOT: (.diskFull, "the disk quota is used up; free some space and run again")
        case EACCES, EPERM:
            (.notPermitted, "permission denied; check the owner and mode of it and its folders")
        case EROFS: (.notPermitted, "the file system is mounted read-only; mount it writable")
        case EMFILE:
            (.tooManyOpenFiles, "this process has too many open files; raise `ulimit -n`")
        case ENFILE: (.tooManyOpenFiles, "the system has too many open files; raise fs.file-max")
        case ENOENT: (.notFound, "no such file or folder")
        case EEXIST: (.exists, "it exists already")
        case EISDIR: (.isDirectory, "it is a folder, a file is wanted; move it away")
        case ENOTDIR: (.notDirectory, "a part of the path is a file, a folder is wanted")
        case ENOTEMPTY: (.notEmpty, "the folder is not empty")
        case ENAMETOOLONG: (.badName, "the name is too long for the file system")
        case ELOOP: (.badName, "too many symbolic links")
        case EMLINK: (.tooManyLinks, "the file has as many hard links as it can have")
        case EXDEV: (.otherFileSystem, "the two paths are on different file systems")
        case EIO: (.io, "the disk reports an input/output error; check it before running again")
        case EINTR: (.interrupted, "interrupted by a signal")
        case EPIPE: (.brokenPipe, "the reader has gone away")
        case EBUSY, ETXTBSY: (.busy, "it is in use")
        case ENOMEM: (.outOfMemory, "out of memory")
        default: (.other, describe(number))
        }
    }

    static func describe(_ number: Int32) -> String {
        var text = [CChar](repeating: 0, count: 256)
        guard unsafe strerror_r(number, &text, text.count) == 0 else { return "error \(number)" }
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self) + " (error \(number))"
    }
}
