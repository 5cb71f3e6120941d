/// The unknown parameters that belong to a source: each name-value pair once, in written order.
struct KeptParameters {
    private struct Parameter {
        /// The whole item in `bytes`.
        var range: Range<Int>
        /// Its name; what follows is the value with its `=`, if there is one.
        var name: Range<Int>
        /// Where it stood: items of one name keep their given order.
        var position: Int
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
        where index == 0 || order(parameters[index - 1].name, parameter.name) != .same {
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
                range: start..<bytes.count,
                name: start..<start + item.name.count,
                position: parameters.count
            )
        )
    }

    /// Brings the parameters into written order and leaves each distinct one once, the first.
    mutating func arrange() {
        guard parameters.count > 1 else { return }
        // Equal items become neighbours, so that many of one name take no longer than others.
        let sorted = parameters.sorted { a, b in
            let byName = order(a.name, b.name)
            if byName != .same { return byName == .before }
            let byValue = order(a.range, b.range)
            return byValue == .same ? a.position < b.position : byValue == .before
        }
        var distinct: [Parameter] = []
        for parameter in sorted {
            if let last = distinct.last, order(last.range, parameter.range) == .same { continue }
            distinct.append(parameter)
        }
        parameters = distinct.sorted { a, b in
            let byName = order(a.name, b.name)
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

    private func order(_ a: Range<Int>, _ b: Range<Int>) -> Order {
        Self.order(bytes[a], bytes[b])
    }

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
