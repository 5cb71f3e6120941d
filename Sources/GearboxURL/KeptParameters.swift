/// The unknown parameters that belong to a source: each name-value pair once, in written order.
struct KeptParameters {
    private struct Parameter {
        var bytes: [UInt8]
        var nameCount: Int
        /// Where it stood: items of one name keep their given order.
        var position: Int

        var name: ArraySlice<UInt8> { bytes[..<nameCount] }
    }

    private var parameters: [Parameter] = []

    static let none = KeptParameters()

    var count: Int { parameters.count }

    /// The names, each once.
    var names: [String] {
        guard !parameters.isEmpty else { return [] }
        var names: [String] = []
        for (index, parameter) in parameters.enumerated()
        where index == 0 || parameters[index - 1].name != parameter.name {
            names.append(String(decoding: parameter.name, as: UTF8.self))
        }
        return names
    }

    func bytes(_ index: Int) -> [UInt8] { parameters[index].bytes }

    mutating func append(_ item: QueryItem, of query: borrowing Span<UInt8>) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(item.range.count)
        for index in item.range { bytes.append(query[index]) }
        parameters.append(
            Parameter(bytes: bytes, nameCount: item.name.count, position: parameters.count)
        )
    }

    /// Brings the parameters into written order and leaves each distinct one once.
    mutating func arrange() {
        guard parameters.count > 1 else { return }
        parameters.sort { a, b in
            switch Self.order(a.name, b.name) {
            case .same: a.position < b.position
            case let order: order == .before
            }
        }
        var seen: Set<[UInt8]> = []
        parameters.removeAll { !seen.insert($0.bytes).inserted }
    }

    /// Whether one goes before a directive of a name.
    func parameter(_ index: Int, precedes name: ASCIIWord) -> Bool {
        var directive: [UInt8] = []
        for index in 0..<name.count { directive.append(name[index]) }
        return Self.order(parameters[index].name, directive[...]) == .before
    }

    private enum Order { case before, same, after }

    /// By lower-cased name, ties by the exact bytes.
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
