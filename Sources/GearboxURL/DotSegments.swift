/// Removal of `.` and `..` from a path, as RFC 3986 section 5.2.4 says.
enum DotSegments {
    /// Removes them from a path.
    ///
    /// Empty segments (`//`) stay: they are part of an object's name.
    static func remove(from buffer: inout [UInt8]) {
        var write = 0
        var read = 0
        while read < buffer.count {
            var end = read + 1
            while end < buffer.count, buffer[end] != URLByte.slash { end += 1 }
            let isLast = end == buffer.count
            switch dots(buffer, read + 1..<end) {
            case 1:
                if isLast { write = keep(&buffer, read..<read + 1, at: write) }
            case 2:
                while write > 0 {
                    write -= 1
                    if buffer[write] == URLByte.slash { break }
                }
                if isLast { write = keep(&buffer, read..<read + 1, at: write) }
            default:
                write = keep(&buffer, read..<end, at: write)
            }
            read = end
        }
        buffer.removeLast(buffer.count - write)
    }

    /// 1 for `.`, 2 for `..`, 0 for every other segment.
    private static func dots(_ buffer: [UInt8], _ segment: Range<Int>) -> Int {
        guard segment.count <= 2 else { return 0 }
        for index in segment where buffer[index] != URLByte.dot { return 0 }
        return segment.count
    }

    private static func keep(_ buffer: inout [UInt8], _ range: Range<Int>, at write: Int) -> Int {
        var write = write
        for index in range {
            buffer[write] = buffer[index]
            write += 1
        }
        return write
    }
}
