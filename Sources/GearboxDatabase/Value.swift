/// A value bound to a statement.
package enum Value: Sendable, Hashable {
    case null
    case integer(Int)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

extension Value: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(stringLiteral value: String) { self = .text(value) }
    package init(nilLiteral: ()) { self = .null }

    package static func text(_ text: String?) -> Value { text.map { .text($0) } ?? .null }
    package static func integer(_ integer: Int?) -> Value { integer.map { .integer($0) } ?? .null }
    package static func flag(_ flag: Bool) -> Value { .integer(flag ? 1 : 0) }
}
