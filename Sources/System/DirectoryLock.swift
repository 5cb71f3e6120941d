import CSystem
import Glibc

/// The right to write to a folder: one process has it at a time.
///
/// The kernel holds the lock (`flock` on the file `lock`), so a process that dies cannot leave it
/// behind; what the file says about the holder is for people only.
@safe package struct DirectoryLock: ~Copyable {
    private let descriptor: Int32

    /// Takes the lock, or fails at once with `locked` and who has it.
    package init(of directory: String) throws(SystemError) {
        let path = directory + "/lock"
        let descriptor = unsafe csystem_open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw SystemError(errno: errno, cannot: "open it", path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            close(descriptor)
            guard number == EWOULDBLOCK else {
                throw SystemError(errno: number, cannot: "lock it", path)
            }
            throw SystemError(
                code: .locked,
                subject: directory,
                message: "in use by \(Self.holder(path)); wait for it to end, or stop it",
                number: number
            )
        }
        // For people only: on a full disk the lock is as good without it, and what frees some needs it.
        try? Self.sign(descriptor, path)
        self.descriptor = descriptor
    }

    deinit {
        ftruncate(descriptor, 0)
        // Closing would not do while a child that is just being started has the descriptor, too.
        // The file stays, because removing it would race.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func sign(_ descriptor: Int32, _ path: String) throws(SystemError) {
        guard ftruncate(descriptor, 0) == 0 else {
            throw SystemError(errno: errno, cannot: "write to it", path)
        }
        let text = """
            process \(ProcessFacts.identifier) on \(ProcessFacts.hostName), \
            since \(WallTime.now().description)

            """
        try writeAll(Array(text.utf8).span, to: descriptor, path: path)
    }

    private static func holder(_ path: String) -> String {
        // Who took it in this very moment signs it in the next.
        for _ in 0..<20 {
            let bytes = (try? FileReader.contents(of: path, limit: 512)) ?? []
            let line = bytes.prefix { $0 != 0x0A }.filter { (0x20..<0x7F).contains($0) }
            if bytes.contains(0x0A), !line.isEmpty { return String(decoding: line, as: UTF8.self) }
            pause(for: .milliseconds(5))
        }
        return "another process"
    }
}
