/// Reads a text manifest: one URL a line.
///
/// Manifests owns the readers of every manifest format. They are fed bytes and give items; they know
/// nothing of files, of what a URL means, or of what is done with it. Memory is that of one line.
///
/// Lines end with CR, LF or CRLF. A byte order mark at the start, blank lines, lines that begin with
/// `#`, and blanks around a URL do not count. A comma is part of a URL. A line that is too long is bad,
/// but for a `data:` URL, whose beginning is an entry.
package struct TextManifest {
    /// The longest line that is read, in bytes; URLs in practice end far below.
    package static let longestLine = 65_536

    private var buffer: [UInt8] = []
    private var line = 1
    private var endedWithReturn = false
    private var isTooLong = false

    package init() { buffer.reserveCapacity(4_096) }

    /// Reads the next bytes of the file; they may end within a line.
    package mutating func read(
        _ bytes: Span<UInt8>,
        item: (ManifestItem) throws -> Void
    ) rethrows {
        for index in bytes.indices {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\n") && endedWithReturn {
                endedWithReturn = false
                continue
            }
            endedWithReturn = byte == UInt8(ascii: "\r")
            if endedWithReturn || byte == UInt8(ascii: "\n") {
                try endLine(item)
            } else if buffer.count < Self.longestLine {
                buffer.append(byte)
            } else {
                isTooLong = true
            }
        }
    }

    /// Ends the file: its last line need not end with a line end.
    package mutating func finish(item: (ManifestItem) throws -> Void) rethrows {
        if !buffer.isEmpty { try endLine(item) }
    }

    private mutating func endLine(_ item: (ManifestItem) throws -> Void) rethrows {
        defer {
            buffer.removeAll(keepingCapacity: true)
            isTooLong = false
            line += 1
        }
        var text = buffer[...]
        if line == 1 && text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        text = text.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        guard let first = text.first, first != UInt8(ascii: "#") else { return }
        let entry = ManifestEntry(line: line, url: Self.url(text))
        // Of a data URL nothing is needed but that it is one.
        guard !isTooLong || entry.isDataURL else {
            let reason = "the line is longer than \(Self.longestLine) bytes"
            return try item(.bad(line: line, reason: reason))
        }
        try item(.entry(entry))
    }

    private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// The line as text.
    ///
    /// What is not UTF-8 keeps its bytes by percent-encoding them.
    static func url(_ bytes: ArraySlice<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in bytes {
            if byte < 0x80 {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
