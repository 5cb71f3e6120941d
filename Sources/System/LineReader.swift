import Glibc

/// The lines of a file or of standard input, of any bytes, in bounded memory.
///
/// Reading and taking lines are two steps, so that what was made of the lines read so far can be
/// written before a slow input is waited for:
///
///     while try lines.fill() {
///         while lines.advance() { use(lines.bytes.span.extracting(lines.line)) }
///         try output.flush()
///     }
@safe package struct LineReader: ~Copyable {
    /// Longer lines, in bytes without the line end, are passed over: `isTooLong` tells them.
    package let longestLine: Int
    private let reader: FileReader

    /// What `line` is a range of.
    package private(set) var bytes: [UInt8]
    /// The line without its LF or CRLF; empty where it is too long.
    package private(set) var line = 0..<0
    /// The number of the line, from 1.
    package private(set) var number = 0
    package private(set) var isTooLong = false

    /// Where the next line begins, how far no line end was found, and how far bytes are read.
    private var start = 0
    private var searched = 0
    private var end = 0
    private var isAtEnd = false
    /// Whether the bytes of a line that is too long are being passed over.
    private var isPassingOver = false

    package init(
        _ reader: consuming FileReader,
        longestLine: Int = 1 << 20,
        chunk: Int = 256 * 1_024
    ) {
        precondition(longestLine > 0 && chunk > 0, "a line reader holds at least a byte")
        self.reader = reader
        self.longestLine = longestLine
        bytes = [UInt8](repeating: 0, count: chunk)
    }

    /// Reads what comes next, once `advance` has no more lines.
    ///
    /// - Returns: false at the end of the file.
    package mutating func fill() throws(SystemError) -> Bool {
        guard !isAtEnd else { return false }
        // A line may be one longer: by the CR of its end.
        if end - start > longestLine + 1 {
            isPassingOver = true
            start = end
        }
        if start > 0 {
            moveToFront(start..<end)
            end -= start
            searched -= start
            start = 0
        }
        if end == bytes.count { bytes += [UInt8](repeating: 0, count: bytes.count) }
        let count = try reader.read(into: &bytes, from: end)
        end += count
        isAtEnd = count == 0
        return true
    }

    /// Goes on to the next line.
    ///
    /// - Returns: false where more must be read first.
    package mutating func advance() -> Bool {
        guard let newline = firstNewline() else {
            searched = end
            guard isAtEnd, start < end || isPassingOver else { return false }
            take(upTo: end, next: end)
            return true
        }
        take(upTo: newline, next: newline + 1)
        return true
    }

    private mutating func take(upTo end: Int, next: Int) {
        var line = start..<end
        if let last = line.last, bytes[last] == 0x0D { line.removeLast() }
        isTooLong = isPassingOver || line.count > longestLine
        isPassingOver = false
        self.line = isTooLong ? start..<start : line
        start = next
        searched = next
        number += 1
    }

    private mutating func moveToFront(_ range: Range<Int>) {
        unsafe bytes.withUnsafeMutableBytes { buffer in
            guard let base = buffer.baseAddress else { return }
            unsafe memmove(base, base + range.lowerBound, range.count)
        }
    }

    private func firstNewline() -> Int? {
        guard searched < end else { return nil }
        return unsafe bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress,
                let found = unsafe memchr(base + searched, 0x0A, end - searched)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - base
        }
    }
}
