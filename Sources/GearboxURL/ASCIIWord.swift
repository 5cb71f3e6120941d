/// An ASCII word of at most sixteen bytes, compared and copied without a loop over characters.
///
/// Names of parameters are compared for every item of every URL, which is why they are not Strings.
struct ASCIIWord: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The first eight bytes, the first of them in the highest byte, zeros after the last.
    private(set) var head: UInt64 = 0
    /// The next eight bytes, likewise.
    private(set) var tail: UInt64 = 0
    private(set) var count = 0

    static let capacity = 16

    @inline(__always)
    init() {}

    init(stringLiteral text: String) {
        precondition(text.utf8.count <= Self.capacity, "a word has at most sixteen bytes")
        for byte in text.utf8 { append(byte) }
    }

    /// The bytes at a range that is at most sixteen bytes long.
    @inline(__always)
    init(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) {
        let split = min(range.lowerBound &+ 8, range.upperBound)
        for index in range.lowerBound..<split { head = head &<< 8 | UInt64(bytes[index]) }
        for index in split..<range.upperBound { tail = tail &<< 8 | UInt64(bytes[index]) }
        count = range.count
        if count < 8 {
            head = head << UInt64(8 &* (8 &- count))
        } else {
            tail = tail << UInt64(8 &* (16 &- count))
        }
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        if count < 8 {
            head |= UInt64(byte) &<< UInt64(56 &- 8 &* count)
        } else {
            tail |= UInt64(byte) &<< UInt64(120 &- 8 &* count)
        }
        count &+= 1
    }

    @inline(__always)
    subscript(index: Int) -> UInt8 {
        index < 8
            ? UInt8(truncatingIfNeeded: head &>> UInt64(56 &- 8 &* index))
            : UInt8(truncatingIfNeeded: tail &>> UInt64(120 &- 8 &* index))
    }
}
