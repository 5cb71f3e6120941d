/// The part of a URL between `//` and the path: a host and perhaps a port.
struct Authority {
    /// The whole of it, as given.
    var range: Range<Int>
    var host: Range<Int>
    /// `nil` for the scheme's default.
    var port: Int?
    /// Whether the host holds percent-encoded bytes; `decodingHost` removes them.
    var hasEncodedHost = false

    init(
        _ bytes: borrowing Span<UInt8>,
        _ range: Range<Int>,
        defaultPort: Int
    ) throws(RequestError) {
        guard !range.isEmpty else { throw .noHost }
        self.range = range
        if bytes[range.lowerBound] == UInt8(ascii: "[") {
            host = try Self.address(bytes, range)
        } else {
            (host, hasEncodedHost) = try Self.name(bytes, range)
        }
        let rest = host.upperBound..<range.upperBound
        if !rest.isEmpty { port = try Self.port(bytes, rest, default: defaultPort) }
    }

    /// A registered name (or an IPv4 address): up to the first colon.
    private static func name(
        _ bytes: borrowing Span<UInt8>,
        _ range: Range<Int>
    ) throws(RequestError) -> (host: Range<Int>, isEncoded: Bool) {
        var end = range.lowerBound
        var isEncoded = false
        while end < range.upperBound, bytes[end] != URLByte.colon {
            let byte = bytes[end]
            if byte == URLByte.percent {
                isEncoded = true
            } else if !URLByte.isHost(byte) {
                throw reason(bytes, range)
            }
            end &+= 1
        }
        let host = range.lowerBound..<end
        guard end == range.upperBound || !holdsUserInfo(bytes, range) else { throw .userInfo }
        guard !host.isEmpty else { throw .noHost }
        return (host, isEncoded)
    }

    /// An IPv6 address in brackets; the host includes them.
    private static func address(
        _ bytes: borrowing Span<UInt8>,
        _ range: Range<Int>
    ) throws(RequestError) -> Range<Int> {
        guard !holdsUserInfo(bytes, range) else { throw .userInfo }
        var close = range.lowerBound + 1
        var colons = 0
        while close < range.upperBound, bytes[close] != UInt8(ascii: "]") {
            let byte = bytes[close]
            if byte == URLByte.colon { colons += 1 }
            guard URLByte.hexValue(byte) != nil || byte == URLByte.colon || byte == URLByte.dot
            else { throw .badAddress }
            close += 1
        }
        guard close < range.upperBound else { throw .badAddress }
        let isEnd = close + 1 == range.upperBound || bytes[close + 1] == URLByte.colon
        guard isEnd else { throw .badAddress }
        guard close > range.lowerBound + 1 else { throw .noHost }
        guard colons >= 2 else { throw .badAddress }
        return range.lowerBound..<close + 1
    }

    /// The port of `:digits`; an empty one and the default are `nil`.
    private static func port(
        _ bytes: borrowing Span<UInt8>,
        _ range: Range<Int>,
        default defaultPort: Int
    ) throws(RequestError) -> Int? {
        guard range.count > 1 else { return nil }
        var number = 0
        for index in range.dropFirst() {
            guard URLByte.isDigit(bytes[index]) else { throw .badPort }
            number = number * 10 + Int(bytes[index] &- 0x30)
            guard number <= 65535 else { throw .badPort }
        }
        guard number > 0 else { throw .badPort }
        return number == defaultPort ? nil : number
    }

    private static func holdsUserInfo(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Bool {
        for index in range where bytes[index] == URLByte.at { return true }
        return false
    }

    /// Which sentence a host with a wrong byte gets.
    private static func reason(
        _ bytes: borrowing Span<UInt8>,
        _ range: Range<Int>
    ) -> RequestError {
        if holdsUserInfo(bytes, range) { return .userInfo }
        for index in range where bytes[index] >= 0x80 { return .internationalHost }
        return .badHost
    }

    /// The URL with the percent-encoded unreserved bytes of its host decoded.
    func decodingHost(_ bytes: borrowing Span<UInt8>) throws(RequestError) -> [UInt8] {
        var result: [UInt8] = []
        for index in 0..<host.lowerBound { result.append(bytes[index]) }
        var index = host.lowerBound
        while index < host.upperBound {
            guard bytes[index] == URLByte.percent else {
                result.append(bytes[index])
                index += 1
                continue
            }
            guard let byte = PercentEncoding.triplet(bytes, at: index, end: host.upperBound) else {
                throw .badHost
            }
            guard byte < 0x80 else { throw .internationalHost }
            guard URLByte.isUnreserved(byte) else { throw .badHost }
            result.append(byte)
            index += 3
        }
        for index in host.upperBound..<bytes.count { result.append(bytes[index]) }
        return result
    }
}
