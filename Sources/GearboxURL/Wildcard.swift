/// A pattern in which `*` matches any run of bytes, also an empty one.
package struct Wildcard: Sendable, Hashable {
    /// What stands between the asterisks.
    private let pieces: [[UInt8]]

    package init(_ bytes: [UInt8]) {
        pieces = bytes.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
            .map(Array.init)
    }

    package init(_ text: String) { self.init(Array(text.utf8)) }

    package func matches(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return matches(bytes.span, 0..<bytes.count)
    }

    func matches(_ bytes: borrowing Span<UInt8>, _ name: Range<Int>) -> Bool {
        var start = name.lowerBound
        var end = name.upperBound
        guard let first = pieces.first, end - start >= first.count,
            Self.stands(first, in: bytes, at: start)
        else { return false }
        start += first.count
        guard pieces.count > 1, let last = pieces.last else { return start == end }
        guard end - start >= last.count, Self.stands(last, in: bytes, at: end - last.count) else {
            return false
        }
        end -= last.count
        for piece in pieces[1..<pieces.count - 1] {
            while start + piece.count <= end, !Self.stands(piece, in: bytes, at: start) {
                start += 1
            }
            guard start + piece.count <= end else { return false }
            start += piece.count
        }
        return true
    }

    private static func stands(
        _ piece: [UInt8],
        in bytes: borrowing Span<UInt8>,
        at index: Int
    ) -> Bool {
        for offset in 0..<piece.count where bytes[index + offset] != piece[offset] { return false }
        return true
    }
}
