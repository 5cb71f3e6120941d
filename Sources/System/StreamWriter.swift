import CSystem
import Glibc

/// Writes text to a standard stream, a pipe or a device, through a buffer where many lines come.
///
/// A reader that goes away (`| head`) is a success: `isOpen` turns false, later text is dropped,
/// and the caller stops when it likes. `Interruption.ignoreBrokenPipes()` must have been called.
@safe package struct StreamWriter: ~Copyable {
    private let descriptor: Int32
    private let isOwned: Bool
    private let name: String
    private let capacity: Int
    private var buffer: [UInt8] = []
    /// False once the reader has gone away.
    package private(set) var isOpen = true

    /// A writer with a buffer of `capacity` bytes; 0 writes everything at once.
    package init(_ stream: StandardStream, capacity: Int = 64 * 1024) {
        descriptor = stream.rawValue
        isOwned = false
        name = stream == .output ? "standard output" : "standard error"
        self.capacity = capacity
        buffer.reserveCapacity(capacity)
    }

    /// A writer to a pipe or device that has a path.
    package init(device path: String, capacity: Int = 64 * 1024) throws(SystemError) {
        descriptor = unsafe csystem_open(path, O_WRONLY | O_CLOEXEC, 0)
        guard descriptor >= 0 else { throw SystemError(errno: errno, cannot: "open it", path) }
        isOwned = true
        name = path
        self.capacity = capacity
    }

    deinit {
        // What fails here has nobody left to be told; who must know calls `flush`.
        let rest = buffer
        if isOpen, !rest.isEmpty { try? writeAll(rest.span, to: descriptor, path: "") }
        if isOwned { close(descriptor) }
    }

    package mutating func write(_ text: String) throws(SystemError) {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= capacity { try flush() }
    }

    package mutating func write(line: String) throws(SystemError) {
        buffer.append(contentsOf: line.utf8)
        buffer.append(0x0A)
        if buffer.count >= capacity { try flush() }
    }

    package mutating func write(_ bytes: [UInt8]) throws(SystemError) {
        if bytes.count >= capacity {
            // A buffer that held it would stay as large.
            try flush()
            return try send(bytes)
        }
        buffer.append(contentsOf: bytes)
        if buffer.count >= capacity { try flush() }
    }

    /// Writes what `body` puts down, at most so many bytes, without a copy of them.
    ///
    /// What it puts down before it throws stays written.
    package mutating func write<Failure: Error>(
        upTo count: Int,
        _ body: (inout OutputSpan<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        try buffer.append(addingCapacity: count, initializingWith: body)
    }

    /// Whether so much is waiting to be written that it is time to `flush`.
    package var isFull: Bool { buffer.count >= capacity }

    package mutating func flush() throws(SystemError) {
        defer { buffer.removeAll(keepingCapacity: true) }
        try send(buffer)
    }

    private mutating func send(_ bytes: [UInt8]) throws(SystemError) {
        guard isOpen, !bytes.isEmpty else { return }
        do {
            try writeAll(bytes.span, to: descriptor, path: name)
        } catch {
            guard error.code == .brokenPipe else { throw error }
            isOpen = false
        }
    }
}
