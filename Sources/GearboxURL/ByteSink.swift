/// Something that bytes are written to, so that each rule is written once.
protocol ByteSink: ~Copyable {
    mutating func append(_ byte: UInt8)
}

extension [UInt8]: ByteSink {}
