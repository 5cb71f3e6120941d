import CSystem
import Glibc
import Synchronization

/// One end of a socket between two processes that send each other messages.
///
/// A message travels as its length, four bytes with the lowest first, and its bytes. One thread
/// may send while another receives.
package final class MessageSocket: Sendable {
    package enum Received: Hashable, Sendable {
        case message([UInt8])
        /// The other end is closed, or its process has ended, maybe in the middle of a message.
        case closed
        /// Not all of it has come in time; the next call goes on with what has.
        case late
    }

    /// The longest message: a longer one comes from a process that has gone wrong.
    package static let longest = 64 * 1024 * 1024

    /// Who is at the other end, for errors.
    package let peer: String
    private let descriptor: Int32
    private let sending = Mutex<Void>(())
    private let incoming = Mutex(IncomingMessage())

    /// The child's end, which its parent has left it as a descriptor, and which is closed with this
    /// value.
    ///
    /// Fails where the descriptor is no such socket: somebody else has started the process.
    package convenience init(descriptor: Int32) throws(SystemError) {
        guard csystem_is_stream_socket(descriptor) != 0 else {
            throw SystemError(
                code: .other,
                subject: "descriptor \(descriptor)",
                message: "not a socket; only gearbox itself starts this, not a person"
            )
        }
        csystem_close_on_exec(descriptor)
        self.init(adopting: descriptor, peer: "the process that started this one")
    }

    init(adopting descriptor: Int32, peer: String) {
        self.descriptor = descriptor
        self.peer = peer
    }

    deinit { Glibc.close(descriptor) }

    /// Has both ends read `closed`, from what was sent before on.
    package func close() { csystem_shut_down(descriptor) }

    /// Sends a message.
    ///
    /// - Parameters:
    ///   - message: at most `longest` bytes.
    ///   - time: how long it may take the other end to read; for ever where it is `nil`.
    /// - Throws: `brokenPipe` where the other end is closed; `late` when the time is over, and then
    ///   the socket is closed if a part of the message is sent.
    package func send(_ message: Span<UInt8>, within time: Duration? = nil) throws(SystemError) {
        precondition(message.count <= Self.longest, "the other end would refuse the message")
        let patience = Patience(time)
        let length = UInt32(message.count)
        let head = (0..<4).map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) }
        let failure: SystemError? = sending.withLock { _ in
            do throws(SystemError) {
                try sendAll(head.span, patience, isFirst: true)
                try sendAll(message, patience, isFirst: false)
                return nil
            } catch { return error }
        }
        if let failure { throw failure }
    }

    package func send(_ message: [UInt8], within time: Duration? = nil) throws(SystemError) {
        try send(message.span, within: time)
    }

    private func sendAll(
        _ bytes: Span<UInt8>,
        _ patience: Patience,
        isFirst: Bool
    ) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
                return unsafe csystem_send(descriptor, rest.baseAddress, rest.count)
            }
            if count >= 0 {
                done += count
            } else if errno == EAGAIN {
                if patience.wait(for: POLLOUT, on: descriptor) { continue }
                if !isFirst || done > 0 { close() }
                throw SystemError(
                    code: .late,
                    subject: peer,
                    message: "it does not read what it is sent"
                )
            } else if errno != EINTR {
                throw SystemError(errno: errno == ECONNRESET ? EPIPE : errno, cannot: "send", peer)
            }
        }
    }

    /// Waits for a message.
    ///
    /// - Parameter time: how long; for ever where it is `nil`, not at all where it is zero.
    /// - Returns: the message, or that there is none.
    /// - Throws: `tooLarge`, from then on, where one is announced that is longer than `longest`.
    package func receive(within time: Duration? = nil) throws(SystemError) -> Received {
        let patience = Patience(time)
        let result: Result<Received, SystemError> = incoming.withLock { incoming in
            do throws(SystemError) {
                return .success(try receive(into: &incoming, patience))
            } catch { return .failure(error) }
        }
        return try result.get()
    }

    private func receive(
        into incoming: inout IncomingMessage,
        _ patience: Patience
    ) throws(SystemError) -> Received {
        while true {
            guard incoming.announced <= Self.longest else {
                throw SystemError(
                    code: .tooLarge,
                    subject: peer,
                    message: "it announces a message of \(incoming.announced) bytes; "
                        + "\(Self.longest) are allowed"
                )
            }
            if let message = incoming.taken() { return .message(message) }
            let count = unsafe incoming.fill { bytes in
                unsafe csystem_receive(descriptor, bytes.baseAddress, bytes.count)
            }
            if count == 0 { return .closed }
            if count > 0 || errno == EINTR { continue }
            switch errno {
            case EAGAIN: if !patience.wait(for: POLLIN, on: descriptor) { return .late }
            case ECONNRESET: return .closed
            default: throw SystemError(errno: errno, cannot: "receive", peer)
            }
        }
    }
}
