internal import Synchronization

/// Memory for pieces of bodies, used again: a heap that grows and shrinks with every body costs more
/// than the copying.
final class PiecePool: Sendable {
    /// More than what the store collects before it writes, so that it collects nothing of them.
    static let pieceLength = 256 * 1024

    private let spare = Mutex<[[UInt8]]>([])
    private let limit: Int

    /// Keeps at most so many.
    init(limit: Int) { self.limit = limit }

    /// An empty piece with room for so many bytes.
    func take(for bytes: Int) -> [UInt8] {
        var piece = spare.withLock { $0.popLast() } ?? []
        piece.reserveCapacity(min(max(0, bytes), Self.pieceLength))
        return piece
    }

    /// Takes the memory of a piece; the piece is empty then.
    func giveBack(_ used: inout [UInt8]) {
        // Before anybody else holds it, or it would be emptied by making a new one.
        used.removeAll(keepingCapacity: true)
        spare.withLock { [used] spare in
            if spare.count < limit { spare.append(used) }
        }
        used = []
    }
}
