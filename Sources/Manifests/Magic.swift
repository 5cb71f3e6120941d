/// The bytes that compressed data begin with: what a file is, whatever its name says.
enum Magic {
    static let longest = 4
    private static let gzip: [UInt8] = [0x1F, 0x8B]
    private static let zstd: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]

    static func decompressor(of start: [UInt8]) -> (any Decompressor)? {
        if start.starts(with: gzip) { return GzipStream() }
        if start.starts(with: zstd) { return ZstdStream() }
        return nil
    }

    /// Whether a whole file is less than what compressed data begin with.
    static func isCutShort(_ file: [UInt8]) -> Bool {
        [gzip, zstd].contains { $0.starts(with: file) && $0.count > file.count }
    }
}
