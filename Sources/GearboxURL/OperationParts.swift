/// Walks the parts of an operation string, such as `image/resize,w_100`.
///
/// The separator may be percent-encoded: services decode the string before they read it.
struct OperationParts {
    private let separator: UInt8
    private let end: Int
    private var index: Int
    private var isDone = false

    init(_ range: Range<Int>, separator: UInt8) {
        self.separator = separator
        index = range.lowerBound
        end = range.upperBound
    }

    /// The next part, which may be empty; `nil` behind the last one.
    mutating func next(in bytes: borrowing Span<UInt8>) -> Range<Int>? {
        guard !isDone else { return nil }
        let start = index
        while index < end {
            if bytes[index] == separator {
                defer { index += 1 }
                return start..<index
            }
            if bytes[index] == URLByte.percent,
                PercentEncoding.triplet(bytes, at: index, end: end) == separator
            {
                defer { index += 3 }
                return start..<index
            }
            index += 1
        }
        isDone = true
        return start..<end
    }
}
