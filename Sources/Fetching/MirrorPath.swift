/// The path of a file in a mirror.
package enum MirrorPath {
    /// Maps a source's key: its path, decoded once, without the query.
    ///
    /// Whether the path stays inside the mirror is decided where it is opened.
    ///
    /// - Returns: the path; `nil` for one that no file has: not UTF-8, or with a NUL.
    package static func decoded(_ key: String) -> String? {
        let path = Array(key.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
        var bytes: [UInt8] = []
        bytes.reserveCapacity(path.count)
        var index = 0
        while index < path.count {
            if path[index] == UInt8(ascii: "%"), index + 2 < path.count,
                let high = digit(path[index + 1]), let low = digit(path[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(path[index])
                index += 1
            }
        }
        guard !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
