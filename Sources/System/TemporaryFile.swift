import CSystem
import Glibc
import Synchronization

/// A file that is being written and that nobody reads yet.
///
/// It gets its real name by one rename, whole, or is removed: a reader never sees half of it. Its
/// own name begins with the process's number, so that two writers never share one.
@safe package struct TemporaryFile: ~Copyable {
    package let path: String
    private let capacity: Int
    /// What is not written yet.
    private var buffer: [UInt8] = []
    /// -1 before the file is made, and after it is closed.
    private var descriptor: Int32 = -1
    private var isMade = false
    private var isCommitted = false

    /// A new file in a folder that exists.
    ///
    /// It is made when more than `capacity` bytes have come or when it gets its name: a small file
    /// that turns out not to be wanted costs nothing.
    package init(in folder: String, buffering capacity: Int = 0) throws(SystemError) {
        path = "\(folder)/\(Self.uniqueName())"
        self.capacity = capacity
        if capacity == 0 { try make() }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if isMade && !isCommitted { unsafe unlink(path) }
    }

    private mutating func make() throws(SystemError) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        descriptor = unsafe csystem_open(path, flags, 0o666)
        guard descriptor >= 0 else {
            throw SystemError(errno: errno, cannot: "make a temporary file", path)
        }
        isMade = true
        WritePoint.fileMade.pass()
    }

    /// What the names of this process's temporary files begin with.
    package static let prefix = prefix(ofProcess: getpid())

    /// The same of another process.
    package static func prefix(ofProcess identifier: Int32) -> String { "\(identifier)-" }

    /// A name that no other file has: after the process's number one that counts, from a random one.
    package static func uniqueName() -> String {
        prefix + String(lastName.add(1, ordering: .relaxed).newValue, radix: 36)
    }

    /// Random, as a process of another machine or container may have this one's number.
    private static let lastName = Atomic(UInt64.random(in: 0...(UInt64.max >> 1)))

    package mutating func write(_ bytes: Span<UInt8>) throws(SystemError) {
        if buffer.count + bytes.count <= capacity {
            unsafe bytes.withUnsafeBufferPointer { unsafe buffer.append(contentsOf: $0) }
            return
        }
        try flush()
        try writeAll(bytes, to: descriptor, path: path)
    }

    package mutating func write(_ bytes: [UInt8]) throws(SystemError) { try write(bytes.span) }

    private mutating func flush() throws(SystemError) {
        if !isMade { try make() }
        guard !buffer.isEmpty else { return }
        try writeAll(buffer.span, to: descriptor, path: path)
        buffer.removeAll(keepingCapacity: true)
    }

    /// Has the bytes on the disk when it returns.
    package mutating func sync() throws(SystemError) {
        try flush()
        guard fsync(descriptor) == 0 else {
            throw SystemError(errno: errno, cannot: "write it out to the disk", path)
        }
    }

    /// Gives the file its name, in place of what had that name.
    ///
    /// Missing folders are made. On failure the file is removed.
    package consuming func commit(to target: String) throws(SystemError) {
        try finish()
        try Files.rename(path, to: target, makingFolders: true)
        isCommitted = true
    }

    /// Gives the file its name, unless a file of the same length has it: that one stays, and this one
    /// is removed.
    ///
    /// One call less for a file than to look first, where it is likely to be new.
    package consuming func commit(
        toContent target: String,
        bytes: Int,
        appending last: Span<UInt8> = Span()
    ) throws(SystemError) {
        if !last.isEmpty {
            try flush()
            try writeAll(last, to: descriptor, path: path)
        }
        try finish()
        if try !Files.renameToNew(path, target) {
            guard Files.size(of: target) != bytes else { return }
            try Files.rename(path, to: target)
        }
        isCommitted = true
    }

    /// Leaves the file, whole, under its temporary name: who gives it another is another process.
    ///
    /// - Returns: the temporary name, without the folder.
    package consuming func leave() throws(SystemError) -> String {
        try finish()
        isCommitted = true
        return String(path[path.index(after: path.lastIndex(of: "/") ?? path.startIndex)...])
    }

    /// Gives the file its name after its bytes and before its name are put on the disk: for the
    /// few files that must last at once.
    package consuming func commitDurably(to target: String) throws(SystemError) {
        try sync()
        try finish()
        try Files.rename(path, to: target)
        isCommitted = true
        try Files.syncDirectory(Files.parent(of: target) ?? "/")
    }

    /// Some file systems report a full disk only here.
    private mutating func finish() throws(SystemError) {
        try flush()
        let open = descriptor
        descriptor = -1
        guard close(open) == 0 || errno == EINTR else {
            throw SystemError(errno: errno, cannot: "close it", path)
        }
        WritePoint.fileWritten.pass()
    }
}

/// Writes every byte, however many calls it takes.
func writeAll(_ bytes: Span<UInt8>, to descriptor: Int32, path: String) throws(SystemError) {
    let number: Int32 = unsafe bytes.withUnsafeBytes { buffer in
        var done = 0
        while done < buffer.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
            let count = unsafe write(descriptor, rest.baseAddress, rest.count)
            if count >= 0 {
                done += count
            } else if errno == EAGAIN {
                // A terminal or pipe that somebody else has made non-blocking.
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                unsafe poll(&waiting, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
    guard number == 0 else { throw SystemError(errno: number, cannot: "write to it", path) }
}
