import CSystem
import Glibc

/// A file, or standard input, open to be read from front to back.
@safe package struct FileReader: ~Copyable {
    package let path: String
    private let descriptor: Int32
    private let owned: Bool

    /// Opens a file; `-` is standard input.
    package init(_ path: String) throws(SystemError) {
        self.path = path == "-" ? "standard input" : path
        owned = path != "-"
        descriptor =
            owned ? unsafe csystem_open(path, O_RDONLY | O_CLOEXEC, 0) : STDIN_FILENO
        guard descriptor >= 0 else { throw SystemError(errno: errno, cannot: "open it", path) }
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
            let got = unsafe buffer.withUnsafeMutableBytes { bytes in
                let room = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[place...])
                return unsafe Glibc.read(descriptor, room.baseAddress, room.count)
            }
            if got >= 0 { return got }
            guard errno == EINTR else { throw SystemError(errno: errno, cannot: "read it", path) }
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
