/// The container of a WebP file.
enum WebPFile {
    /// The file without EXIF, XMP and colour profile.
    ///
    /// libvips 8.14 writes an EXIF block of its own whatever it is told: 200 bytes, in a small
    /// thumbnail a third of the file.
    static func withoutMetadata(_ file: [UInt8]) -> [UInt8] {
        var chunks: [(name: ArraySlice<UInt8>, whole: ArraySlice<UInt8>)] = []
        var offset = 12
        while offset + 8 <= file.count {
            let length = (0..<4).reduce(0) { $0 | Int(file[offset + 4 + $1]) << (8 * $1) }
            let end = min(offset + 8 + length + length % 2, file.count)
            chunks.append((file[offset..<offset + 4], file[offset..<end]))
            offset = end
        }
        let dropped = ["EXIF", "XMP ", "ICCP"].map { Array($0.utf8) }
        chunks.removeAll { chunk in dropped.contains(Array(chunk.name)) }
        let extended = Array("VP8X".utf8)
        guard let first = chunks.first, Array(first.name) == extended, first.whole.count > 8
        else { return joined(chunks.map(\.whole)) }
        // The flags of what is left: alpha and animation; with neither, a plain file says as much.
        var header = Array(first.whole)
        header[8] &= 0x12
        let isPlain = header[8] == 0
        let rest = chunks.dropFirst().map(\.whole)
        return joined(isPlain ? Array(rest) : [header[...]] + rest)
    }

    private static func joined(_ chunks: [ArraySlice<UInt8>]) -> [UInt8] {
        let length = 4 + chunks.reduce(0) { $0 + $1.count }
        let size = (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
        return Array("RIFF".utf8) + size + Array("WEBP".utf8) + chunks.joined()
    }
}
