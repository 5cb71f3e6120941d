/// The passes in which a progressive JPEG refines its picture.
package enum JPEGScans {
    /// More than any encoder writes.
    ///
    /// Each scan costs a walk over the whole picture and may take a few bytes, so that a small file
    /// could keep a decoder busy for minutes.
    package static let limit = 200

    /// How many scans a file has at most: those of a preview count as well.
    package static func count(of path: String) throws(ImagingError) -> Int {
        let bytes = try ImageFile.bytes(of: path)
        return count(bytes.span)
    }

    private static func count(_ bytes: Span<UInt8>) -> Int {
        var count = 0
        var isMarker = false
        for index in bytes.indices {
            let byte = bytes[index]
            if isMarker, byte == 0xDA { count += 1 }
            isMarker = byte == 0xFF
        }
        return count
    }
}
