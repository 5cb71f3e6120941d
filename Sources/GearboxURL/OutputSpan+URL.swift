/// What URLs are written with.
extension OutputSpan where Element == UInt8 {
    @inline(__always)
    mutating func append(_ word: ASCIIWord) {
        var bytes = word.head
        for _ in 0..<min(word.count, 8) {
            append(UInt8(truncatingIfNeeded: bytes &>> 56))
            bytes &<<= 8
        }
        guard word.count > 8 else { return }
        bytes = word.tail
        for _ in 8..<word.count {
            append(UInt8(truncatingIfNeeded: bytes &>> 56))
            bytes &<<= 8
        }
    }

    @inline(__always)
    mutating func append(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) {
        for index in range { append(bytes[index]) }
    }

    @inline(__always)
    mutating func appendLowercased(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) {
        for index in range { append(URLByte.lowercased(bytes[index])) }
    }

    /// Appends what was written before.
    @inline(__always)
    mutating func appendCopy(of range: Range<Int>) {
        for index in range { append(self[index]) }
    }

    /// Appends a number below 100,000 in decimal: sides, qualities and ports are.
    @inline(__always)
    mutating func append(_ number: Int) {
        let number = UInt32(truncatingIfNeeded: number)
        if number >= 10000 { appendDigit(number / 10000) }
        if number >= 1000 { appendDigit(number / 1000) }
        if number >= 100 { appendDigit(number / 100) }
        if number >= 10 { appendDigit(number / 10) }
        appendDigit(number)
    }

    /// Appends the last digit of a number.
    @inline(__always)
    private mutating func appendDigit(_ number: UInt32) {
        append(0x30 &+ UInt8(truncatingIfNeeded: number % 10))
    }
}
