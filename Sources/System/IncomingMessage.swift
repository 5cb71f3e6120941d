/// A message of which a part has come.
struct IncomingMessage {
    /// Room is made for what comes, not for what is announced.
    private static let step = 256 * 1024

    private var head: [UInt8] = []
    private var body: [UInt8] = []

    /// The message's length, as far as it is known: 0 before.
    var announced: Int {
        head.count == 4
            ? head.enumerated().reduce(0) { $0 | Int($1.element) << ($1.offset * 8) } : 0
    }

    /// The whole message, once.
    mutating func taken() -> [UInt8]? {
        guard head.count == 4, body.count == announced else { return nil }
        defer { self = IncomingMessage() }
        return body
    }

    /// Has a closure put bytes that belong to this message into a buffer, and keeps them.
    ///
    /// - Returns: what the closure does: how many they were, or less than 0.
    mutating func fill(_ read: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
        head.count < 4
            ? unsafe Self.append(to: &head, atMost: 4 - head.count, read)
            : unsafe Self.append(to: &body, atMost: announced - body.count, read)
    }

    private static func append(
        to bytes: inout [UInt8],
        atMost room: Int,
        _ read: (UnsafeMutableRawBufferPointer) -> Int
    ) -> Int {
        let before = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: min(room, step)))
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe read(UnsafeMutableRawBufferPointer(rebasing: buffer[before...]))
        }
        bytes.removeLast(bytes.count - before - max(count, 0))
        return count
    }
}
