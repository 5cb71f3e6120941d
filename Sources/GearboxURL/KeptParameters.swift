/// The unknown parameters that belong to a source: each name-value pair once, in written order.
struct KeptParameters {
    /// Where one stands in `bytes`; half a million of them fit into a long line.
    private struct Parameter {
        private let start: UInt32
        private let nameEnd: UInt32
        private let end: UInt32
        /// Where it stood among the others: items of one name keep their given order.
        let position: UInt32

        init(name: Range<Int>, end: Int, position: Int) {
            precondition(end < UInt32.max, "a URL has less than four gigabytes of parameters")
            start = UInt32(truncatingIfNeeded: name.lowerBound)
            nameEnd = UInt32(truncatingIfNeeded: name.upperBound)
            self.end = UInt32(truncatingIfNeeded: end)
            self.position = UInt32(truncatingIfNeeded: position)
        }

        /// The whole item.
        var range: Range<Int> { Int(start)..<Int(end) }
        /// Its name; what follows is the value with its `=`, if there is one.
        var name: Range<Int> { Int(start)..<Int(nameEnd) }
    }

    /// The items as they are written, one behind the other.
    private var bytes: [UInt8] = []
    private var parameters: [Parameter] = []

    static var none: KeptParameters { KeptParameters() }

    @inline(__always)
    var count: Int { parameters.count }

    /// The names, each once, in written order.
    var names: [String] {
        guard !parameters.isEmpty else { return [] }
        var names: [String] = []
        for (index, parameter) in parameters.enumerated()
        where index == 0
            || Self.order(bytes[parameters[index - 1].name], bytes[parameter.name]) != .same
        {
            names.append(String(decoding: bytes[parameter.name], as: UTF8.self))
        }
        return names
    }

    func append(_ index: Int, to output: inout OutputSpan<UInt8>) {
        output.append(bytes.span, parameters[index].range)
    }

    mutating func append(_ item: QueryItem, of query: borrowing Span<UInt8>) {
        let start = bytes.count
        for index in item.range { bytes.append(query[index]) }
        parameters.append(
            Parameter(
                name: start..<start + item.name.count,
                end: bytes.count,
                position: parameters.count
            )
        )
    }

    /// Brings the parameters into written order and leaves each distinct one once, the first.
    mutating func arrange() {
        guard parameters.count > 1 else { return }
        let bytes = bytes
        // Equal items become neighbours, so that many of one name take no longer than others.
        parameters.sort { a, b in
            let byName = Self.order(bytes[a.name], bytes[b.name])
            if byName != .same { return byName == .before }
            let byValue = Self.order(bytes[a.range], bytes[b.range])
            return byValue == .same ? a.position < b.position : byValue == .before
        }
        var distinct = 1
        for index in 1..<parameters.count {
            let (last, next) = (parameters[distinct - 1], parameters[index])
            if Self.order(bytes[last.range], bytes[next.range]) == .same { continue }
            parameters[distinct] = next
            distinct += 1
        }
        parameters.removeLast(parameters.count - distinct)
        parameters.sort { a, b in
            let byName = Self.order(bytes[a.name], bytes[b.name])
            return byName == .same ? a.position < b.position : byName == .before
        }
    }

    /// Whether one goes before a directive of a name.
    func parameter(_ index: Int, precedes name: ASCIIWord) -> Bool {
        let kept = bytes[parameters[index].name]
        let directive = (0..<name.count).map { name[$0] }
        return Self.order(kept, directive[...]) == .before
    }

    private enum Order { case before, same, after }

    /// By the lower-cased bytes, ties by the exact ones.
    private static func order(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Order {
        var exact = Order.same
        for (left, right) in zip(a, b) where left != right {
            let lowerLeft = URLByte.lowercased(left)
            let lowerRight = URLByte.lowercased(right)
            if lowerLeft != lowerRight { return lowerLeft < lowerRight ? .before : .after }
            if exact == .same { exact = left < right ? .before : .after }
        }
        if a.count != b.count { return a.count < b.count ? .before : .after }
        return exact
    }
}
