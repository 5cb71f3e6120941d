import CSystem
import Glibc

/// A file, or standard input, open to be read from front to back.
@safe package struct FileReader: ~Copyable {
    package let path: String
    private let descriptor: Int32
    private let owned: Bool
    /// Whether a read may wait for another process.
    private let isPatient: Bool

    /// Opens a file; `-` is standard input.
    ///
    /// A pipe without a writer is opened at once: it is reading that waits for one.
    package init(_ path: String) throws(SystemError) {
        self.path = path == "-" ? "standard input" : path
        owned = path != "-"
        descriptor =
            owned ? unsafe csystem_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0) : STDIN_FILENO
        guard descriptor >= 0 else { throw SystemError(errno: errno, cannot: "open it", path) }
        let kind = (try? FileStatus(descriptor: descriptor, path: path))?.kind
        isPatient = kind == .other
    }

    deinit { if owned { close(descriptor) } }

    package func status() throws(SystemError) -> FileStatus {
        try FileStatus(descriptor: descriptor, path: path)
    }

    /// Reads what comes next into the buffer, from its front or a later place on.
    ///
    /// - Returns: how many bytes were read, at most as many as there is room for; 0 at the end.
    package func read(
        into buffer: inout [UInt8],
        from place: Int = 0
    ) throws(SystemError) -> Int {
        precondition(
            buffer.indices.contains(place),
            "a read without room would look like the end of the file"
        )
        while true {
            try waitForBytes()
            let got = unsafe buffer.withUnsafeMutableBytes { bytes in
                let room = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[place...])
                return unsafe Glibc.read(descriptor, room.baseAddress, room.count)
            }
            if got >= 0 { return got }
            guard errno == EINTR || errno == EAGAIN else {
                throw SystemError(errno: errno, cannot: "read it", path)
            }
        }
    }

    /// A pipe or terminal may have nothing for hours: whoever asks the run to stop must not wait
    /// for it.
    private func waitForBytes() throws(SystemError) {
        guard isPatient else { return }
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&waiting, 1, 200) == 0 {
            guard Interruption.isRequested else { continue }
            throw SystemError(
                code: .interrupted,
                subject: path,
                message: "interrupted while it was waited for"
            )
        }
    }

    /// The whole file, for small ones: fails with `tooLarge` above `limit` bytes.
    package static func contents(of path: String, limit: Int) throws(SystemError) -> [UInt8] {
        let file = try FileReader(path)
        var buffer = [UInt8](repeating: 0, count: min(limit + 1, 64 * 1024))
        var bytes: [UInt8] = []
        while true {
            let count = try file.read(into: &buffer)
            if count == 0 { return bytes }
            bytes.append(contentsOf: buffer[..<count])
            guard bytes.count <= limit else {
                throw SystemError(
                    code: .tooLarge,
                    subject: file.path,
                    message: "larger than the \(limit) bytes that are expected here"
                )
            }
        }
    }
}
