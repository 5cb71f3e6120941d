/// Where a line of an access log has what counts:
/// `[host:port] client identity user [time] "method target HTTP/1.1" status ...`.
struct AccessLogLine {
    /// The virtual host with its port; empty where the line has none.
    private var host = 0..<0
    /// As the server wrote it, escaped.
    private var target = 0..<0
    /// Why the line is no entry.
    private(set) var skip: ManifestSkip?

    private static let timeStart = Array(" [".utf8)
    private static let timeEnd = Array("] \"".utf8)
    private static let version = Array(" HTTP/".utf8)
    private static let get = Array("GET ".utf8)

    /// - Returns: `nil` where the text is not such a line.
    init?(_ text: Span<UInt8>) {
        guard let blank = ManifestText.find(Self.timeStart, in: text, from: 0),
            let bracket = ManifestText.find(Self.timeEnd, in: text, from: blank),
            let end = Self.requestEnd(text, from: bracket + Self.timeEnd.count)
        else { return nil }
        let start = bracket + Self.timeEnd.count
        host = Self.host(text, before: blank)
        var methodEnd = start
        while methodEnd < end && Self.isUpperCase(text[methodEnd]) { methodEnd += 1 }
        guard methodEnd > start, methodEnd < end, text[methodEnd] == 0x20 else {
            skip = .noRequest
            return
        }
        target = Self.target(text, methodEnd + 1..<end)
        if !ManifestText.has(Self.get, in: text, at: start) {
            skip = .otherMethod
        } else if target.isEmpty {
            skip = .noRequest
        } else if !Self.isAnswered(text, end + 2) {
            skip = .otherStatus
        }
    }

    /// The quote that ends the request: one that is not escaped and has a status behind it.
    ///
    /// Some servers write other quotes as they come.
    private static func requestEnd(_ text: Span<UInt8>, from start: Int) -> Int? {
        var place = start
        while place < text.count {
            if text[place] == UInt8(ascii: "\\") {
                place += 2
            } else if text[place] == UInt8(ascii: "\""), isStatus(text, place + 1) {
                return place
            } else {
                place += 1
            }
        }
        return nil
    }

    private static func isStatus(_ text: Span<UInt8>, _ place: Int) -> Bool {
        guard place + 4 <= text.count, text[place] == 0x20 else { return false }
        for index in place + 1..<place + 4 where !(0x30...0x39).contains(text[index]) {
            return false
        }
        return place + 4 == text.count || text[place + 4] == 0x20
    }

    private static func isAnswered(_ text: Span<UInt8>, _ place: Int) -> Bool {
        switch (text[place], text[place + 1], text[place + 2]) {
        case (0x32, 0x30, 0x30), (0x33, 0x30, 0x34): true
        default: false
        }
    }

    /// What stands between the method and the version; it may hold blanks.
    private static func target(_ text: Span<UInt8>, _ rest: Range<Int>) -> Range<Int> {
        var end = rest.upperBound - 1
        while end >= rest.lowerBound && !ManifestText.has(version, in: text, at: end) { end -= 1 }
        return rest.lowerBound..<(end < rest.lowerBound ? rest.upperBound : end)
    }

    private static func isUpperCase(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }

    /// The first of four words before the time, where it is a host and a port.
    ///
    /// A client's address may look much alike where a user's name has a blank: one of IPv6 has more
    /// colons.
    private static func host(_ text: Span<UInt8>, before time: Int) -> Range<Int> {
        var end: Int?
        var words = 1
        for place in 0..<time where text[place] == 0x20 {
            words += 1
            end = end ?? place
        }
        guard words >= 4, let end else { return 0..<0 }
        var colon = end - 1
        while colon > 0 && (0x30...0x39).contains(text[colon]) { colon -= 1 }
        guard colon > 0, colon + 1 < end, text[colon] == UInt8(ascii: ":") else { return 0..<0 }
        let isBracketed = text[0] == UInt8(ascii: "[") && text[colon - 1] == UInt8(ascii: "]")
        for place in 0..<colon where text[place] == UInt8(ascii: ":") && !isBracketed {
            return 0..<0
        }
        return 0..<end
    }

    /// The scheme and host that the line names, as URLs have them; `nil` where it names none.
    func base(of text: Span<UInt8>) -> [UInt8]? {
        guard !host.isEmpty else { return nil }
        let name = ManifestText.url(text.extracting(host))
        if name.hasSuffix(":443") { return Array("https://\(name.dropLast(4))".utf8) }
        return Array("http://\(name.hasSuffix(":80") ? name.dropLast(3) : name[...])".utf8)
    }

    static func isURL(_ target: Span<UInt8>) -> Bool {
        ManifestText.has(Array("http://".utf8), in: target, at: 0)
            || ManifestText.has(Array("https://".utf8), in: target, at: 0)
    }

    /// The target as it was asked for: servers write quotes, backslashes and what is not ASCII as
    /// `\x22`, `\"`, `\\` or `\n`.
    func unescapedTarget(of text: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(target.count)
        var place = target.lowerBound
        while place < target.upperBound {
            let byte = text[place]
            place += 1
            guard byte == UInt8(ascii: "\\"), place < target.upperBound else {
                bytes.append(byte)
                continue
            }
            let escape = text[place]
            place += 1
            switch escape {
            case UInt8(ascii: "x") where place + 2 <= target.upperBound:
                guard let high = HexDigit.value(text[place]),
                    let low = HexDigit.value(text[place + 1])
                else { bytes += [byte, escape]; continue }
                bytes.append(high << 4 | low)
                place += 2
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "b"): bytes.append(0x08)
            case UInt8(ascii: "v"): bytes.append(0x0B)
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(escape)
            default: bytes += [byte, escape]
            }
        }
        return bytes
    }
}
