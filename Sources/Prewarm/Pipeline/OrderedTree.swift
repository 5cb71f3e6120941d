/// A JSON value whose keys keep their order.
indirect enum OrderedTree {
    case word(String)
    case list([OrderedTree])
    case object([(String, OrderedTree)])

    static func string(_ text: String?) -> OrderedTree {
        guard let text else { return .word("null") }
        let escaped = text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\0"..<" ":
                result +=
                    "\\u00" + (scalar.value < 16 ? "0" : "")
                    + String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return .word("\"\(escaped)\"")
    }

    static func integer(_ value: Int?) -> OrderedTree { .word(value.map { "\($0)" } ?? "null") }
    static func boolean(_ value: Bool) -> OrderedTree { .word(value ? "true" : "false") }
    static func strings(_ texts: [String]) -> OrderedTree { .list(texts.map { .string($0) }) }
    static func integers(_ values: [Int]) -> OrderedTree { .list(values.map { .integer($0) }) }

    /// On lines of their own where they do not fit on one.
    var text: String { text(indent: "") }

    /// All on one line.
    var line: String {
        switch self {
        case .word(let word): word
        case .list(let list): "[" + list.map(\.line).joined(separator: ",") + "]"
        case .object(let pairs):
            "{" + pairs.map { "\(Self.string($0.0).line):\($0.1.line)" }.joined(separator: ",")
                + "}"
        }
    }

    private func text(indent: String) -> String {
        let inner = indent + "  "
        switch self {
        case .word(let word): return word
        case .list(let list):
            let isFlat = list.allSatisfy { if case .word = $0 { true } else { false } }
            let parts = list.map { $0.text(indent: inner) }
            if isFlat { return "[" + parts.joined(separator: ", ") + "]" }
            return "[\n\(inner)" + parts.joined(separator: ",\n\(inner)") + "\n\(indent)]"
        case .object(let pairs):
            if pairs.isEmpty { return "{}" }
            let parts = pairs.map { "\"\($0.0)\": \($0.1.text(indent: inner))" }
            return "{\n\(inner)" + parts.joined(separator: ",\n\(inner)") + "\n\(indent)}"
        }
    }
}
