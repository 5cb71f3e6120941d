/// One item of a query: where its name and its value stand.
struct QueryItem {
    var name: Range<Int>
    /// `nil` for a bare name, which is not the same as an empty value.
    var value: Range<Int>?

    var range: Range<Int> { name.lowerBound..<(value?.upperBound ?? name.upperBound) }
}

/// Walks the items of a query: separated by `&`, empty ones left out.
struct QueryItems {
    private var index: Int
    private let end: Int

    init(_ query: Range<Int>) {
        index = query.lowerBound
        end = query.upperBound
    }

    @inline(__always)
    mutating func next(in bytes: borrowing Span<UInt8>) -> QueryItem? {
        // In a local variable, and so in a register.
        var index = index
        defer { self.index = index }
        while index < end, bytes[index] == URLByte.ampersand { index &+= 1 }
        guard index < end else { return nil }
        let start = index
        var byte = bytes[index]
        while byte != URLByte.ampersand && byte != URLByte.equals {
            index &+= 1
            guard index < end else { return QueryItem(name: start..<index) }
            byte = bytes[index]
        }
        let name = start..<index
        guard byte == URLByte.equals else { return QueryItem(name: name) }
        index &+= 1
        let valueStart = index
        while index < end, bytes[index] != URLByte.ampersand { index &+= 1 }
        return QueryItem(name: name, value: valueStart..<index)
    }
}
