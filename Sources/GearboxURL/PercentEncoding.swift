/// Percent-normalisation as RFC 3986 has it, on bytes.
enum PercentEncoding {
    /// The byte that `%XX` at an index stands for; `nil` where that is not followed by two
    /// hexadecimal digits.
    @inline(__always)
    static func triplet(_ bytes: borrowing Span<UInt8>, at index: Int, end: Int) -> UInt8? {
        guard index + 2 < end,
            let high = URLByte.hexValue(bytes[index + 1]),
            let low = URLByte.hexValue(bytes[index + 2])
        else { return nil }
        return high << 4 | low
    }

    /// Appends a part in its normal form: unreserved bytes decoded, hexadecimal digits in upper
    /// case, bytes outside the allowed set and a stray `%` encoded.
    @inline(__always)
    static func appendNormal<Sink: ByteSink & ~Copyable & ~Escapable>(
        _ bytes: borrowing Span<UInt8>,
        _ range: Range<Int>,
        allowed: (UInt8) -> Bool,
        to result: inout Sink
    ) {
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            guard byte == URLByte.percent else {
                if allowed(byte) { result.append(byte) } else { appendEncoded(byte, to: &result) }
                index += 1
                continue
            }
            if let decoded = triplet(bytes, at: index, end: range.upperBound) {
                if URLByte.isUnreserved(decoded) {
                    result.append(decoded)
                } else {
                    appendEncoded(decoded, to: &result)
                }
                index += 3
            } else {
                appendEncoded(byte, to: &result)
                index += 1
            }
        }
    }

    /// Appends a query as an opaque key has it: nothing decoded, hexadecimal digits in upper case,
    /// bytes outside the allowed set and a stray `%` encoded.
    static func appendOpaque<Sink: ByteSink & ~Copyable & ~Escapable>(
        _ bytes: borrowing Span<UInt8>,
        _ range: Range<Int>,
        to result: inout Sink
    ) {
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            if byte == URLByte.percent,
                let decoded = triplet(bytes, at: index, end: range.upperBound)
            {
                appendEncoded(decoded, to: &result)
                index += 3
                continue
            }
            if URLByte.isQuery(byte) {
                result.append(byte)
            } else {
                appendEncoded(byte, to: &result)
            }
            index += 1
        }
    }

    /// Appends what is sent verbatim: only bytes that may not be sent are encoded.
    static func appendSendable<Sink: ByteSink & ~Copyable & ~Escapable>(
        _ bytes: borrowing Span<UInt8>,
        _ range: Range<Int>,
        to result: inout Sink
    ) {
        for index in range {
            let byte = bytes[index]
            if URLByte.isQuery(byte) || byte == URLByte.percent {
                result.append(byte)
            } else {
                appendEncoded(byte, to: &result)
            }
        }
    }

    static func appendEncoded<Sink: ByteSink & ~Copyable & ~Escapable>(
        _ byte: UInt8,
        to result: inout Sink
    ) {
        result.append(URLByte.percent)
        result.append(URLByte.hexDigit(byte >> 4))
        result.append(URLByte.hexDigit(byte & 0x0F))
    }
}
