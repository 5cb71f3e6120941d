/// Writes URLs one behind the other, on the stack unless they are unusually long.
struct URLWriter: ~Copyable, ByteSink {
    private static let inlineCapacity = 1024

    private var inline = InlineArray<1024, UInt8>(repeating: 0)
    /// Everything, once the bytes no longer fit in `inline`.
    private var spilled: [UInt8] = []
    private(set) var count = 0
    /// The parameters to merge into the query, and the first that is not written yet.
    private var kept = KeptParameters.none
    private var nextKept = 0
    private var hasItems = false

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        if count < Self.inlineCapacity {
            inline[count] = byte
        } else {
            spill(byte)
        }
        count &+= 1
    }

    private mutating func spill(_ byte: UInt8) {
        if spilled.isEmpty {
            for index in 0..<Self.inlineCapacity { spilled.append(inline[index]) }
        }
        spilled.append(byte)
    }

    @inline(__always)
    mutating func append(_ word: ASCIIWord) {
        for index in 0..<word.count { append(word[index]) }
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
    mutating func appendCopy(of range: Range<Int>) {
        for index in range { append(self[index]) }
    }

    /// Appends a decimal number that is not negative.
    @inline(__always)
    mutating func append(_ number: Int) {
        var divisor = 1
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            append(0x30 &+ UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
    }

    subscript(index: Int) -> UInt8 {
        count <= Self.inlineCapacity ? inline[index] : spilled[index]
    }

    /// Whether the bytes from an index on are those of a range of others.
    @inline(__always)
    func holds(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>, at start: Int) -> Bool {
        for offset in 0..<range.count
        where self[start &+ offset] != bytes[range.lowerBound &+ offset] { return false }
        return true
    }

    func string(_ range: Range<Int>) -> String {
        count <= Self.inlineCapacity
            ? String(ascii: inline.span.extracting(range))
            : String(ascii: spilled.span.extracting(range))
    }

    /// What a function says about the bytes written so far.
    func reading<Result>(_ body: (borrowing Span<UInt8>) -> Result) -> Result {
        count <= Self.inlineCapacity ? body(inline.span) : body(spilled.span)
    }
}

/// Queries: the items of directives, with the kept parameters of the source merged in.
extension URLWriter {
    mutating func beginQuery(merging parameters: KeptParameters) {
        kept = parameters
        nextKept = 0
        hasItems = false
    }

    /// Begins an item: writes what separates it, and its name.
    ///
    /// Items are begun in the order of their names; kept parameters whose turn has come go first.
    @inline(__always)
    mutating func begin(_ name: ASCIIWord) {
        while nextKept < kept.count, kept.parameter(nextKept, precedes: name) { writeNextKept() }
        separate()
        append(name)
    }

    /// Writes the kept parameters that are left.
    mutating func endQuery() {
        while nextKept < kept.count { writeNextKept() }
    }

    /// Writes what goes before an item: `?` before the first, then `&`.
    @inline(__always)
    mutating func separate() {
        append(hasItems ? URLByte.ampersand : URLByte.question)
        hasItems = true
    }

    private mutating func writeNextKept() {
        separate()
        for byte in kept.bytes(nextKept) { append(byte) }
        nextKept += 1
    }
}

extension String {
    /// A string of bytes that are known to be ASCII.
    @inline(__always)
    init(ascii bytes: borrowing Span<UInt8>) {
        guard let text = try? UTF8Span(validating: copy bytes) else {
            preconditionFailure("what is written into a URL is percent-encoded, so ASCII")
        }
        self.init(copying: text)
    }
}
