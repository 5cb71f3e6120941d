/// The file of a request in the tree that an nginx serves.
///
/// nginx can make a file's name from the request as it came (`$request_uri`, nothing decoded) by
/// regular expressions alone, so this is what they make of it, step by step:
///
/// - The folders are the path's, the file is its last part with the query: `/a/b.jpg?x=1` is the file
///   `b.jpg?x=1` in the folder `a`. A file has a `?` always and a folder never has one, so `/a` and
///   `/a/b` do not meet.
/// - A space stands for a slash in the query, and behind a folder's name that is empty, `.` or `..`.
///   No request has a space: servers refuse it.
/// - A query that is there but empty is `#`, which no request has either.
/// - What is longer than 250 bytes is cut in pieces, with a space on either side of each cut; each piece
///   but the last is a folder.
///
/// So different requests have different files, and no request leads out of the tree.
enum NginxName {
    static let pieceLength = 250
    /// nginx has no more than nine captures.
    static let pieceCount = 9
    /// How many slashes of a query each step replaces: together any number up to their sum.
    static let slashSteps = [8, 8, 8, 4, 2, 1]
    /// How many parts of a path that are empty, `.` or `..` are told from others.
    static let oddParts = 4
    /// What a file system takes as one name, and less than it takes as a path: the tree has one, too.
    private static let longestPart = 255
    private static let longestName = 3_000

    /// The requests that ask for a key: as it is, and as those send it who encode what URLs may not hold.
    static func requests(for key: String) -> [String] {
        let forbidden = Set("\"<>\\^`{|}".utf8)
        let sent = key.escaped { (0x21..<0x7F).contains($0) && !forbidden.contains($0) }
        let canBeSentAsIs = key.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
        return canBeSentAsIs && sent != key ? [key, sent] : [sent]
    }

    /// The path of a request's file, from the origin's folder on; begins with a slash.
    static func path(of request: String) throws(Refusal) -> String {
        let halves = request.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard request.hasPrefix("/"), isServed(halves[0]) else { throw .notServed }
        var parts = halves[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        let last = parts.removeLast()
        let query = halves.count == 1 ? "" : halves[1].isEmpty ? "#" : halves[1]
        let odd = parts.count { ["", ".", ".."].contains($0) }
        let slashes = query.utf8.count { $0 == UInt8(ascii: "/") }
        guard odd <= oddParts, slashes <= slashSteps.reduce(0, +) else { throw .tooDeep }

        var leaf = Array("\(last)?\(query)".utf8).map { $0 == UInt8(ascii: "/") ? 0x20 : $0 }[...]
        guard leaf.count <= pieceLength * pieceCount, request.utf8.count <= longestName,
            parts.allSatisfy({ $0.utf8.count <= longestPart })
        else { throw .tooLong }
        var path = "/"
        for part in parts { path += ["", ".", ".."].contains(part) ? "\(part) /" : "\(part)/" }
        while leaf.count > pieceLength {
            path += String(decoding: leaf.prefix(pieceLength), as: UTF8.self) + " / "
            leaf = leaf.dropFirst(pieceLength)
        }
        return path + String(decoding: leaf, as: UTF8.self)
    }

    /// Whether nginx takes a path: escapes are whole and none is a NUL, and it does not climb out.
    private static func isServed(_ path: Substring) -> Bool {
        var bytes = Array(path.utf8)[...]
        var decoded: [UInt8] = []
        while let byte = bytes.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            let digits = bytes.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
            guard digits.count == 2, digits != [0, 0] else { return false }
            decoded.append(UInt8(digits[0] * 16 + digits[1]))
            bytes = bytes.dropFirst(2)
        }
        var depth = 0
        for part in decoded.split(separator: UInt8(ascii: "/")) {
            if part.elementsEqual("..".utf8) { depth -= 1 } else if part != [0x2E] { depth += 1 }
            if depth < 0 { return false }
        }
        return true
    }
}
