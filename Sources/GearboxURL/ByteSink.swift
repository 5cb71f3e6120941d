/// Something that bytes are written to, so that each rule is written once.
protocol ByteSink: ~Copyable, ~Escapable {
    mutating func append(_ byte: UInt8)
}

extension [UInt8]: ByteSink {}
extension OutputSpan: ByteSink where Element == UInt8 {}
