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
        while index < end, bytes[index] == URLByte.ampersand { index &+= 1 }
        guard index < end else { return nil }
        let start = index
        while index < end {
            let byte = bytes[index]
            if byte == URLByte.ampersand { return QueryItem(name: start..<index) }
            if byte == URLByte.equals { break }
            index &+= 1
        }
        let name = start..<index
        guard index < end else { return QueryItem(name: name) }
        index &+= 1
        let valueStart = index
        while index < end, bytes[index] != URLByte.ampersand { index &+= 1 }
        return QueryItem(name: name, value: valueStart..<index)
    }
}
