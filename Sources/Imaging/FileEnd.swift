/// Tells a file that was cut short from one that is damaged, by the structure of its format.
///
/// Asked of files that could not be decoded, and of GIF, whose decoder takes half a last frame
/// for a whole one.
enum FileEnd {
    static func isCutShort(_ bytes: Span<UInt8>, of loader: Loader) -> Bool {
        switch loader {
        case .jpeg: jpeg(bytes)
        case .png: png(bytes)
        case .webp:
            bytes.has(0x5249_4646, at: 0) && bytes.count >= 8
                && bytes.little(4, at: 4) + 8 > bytes.count
        case .gif: gif(bytes)
        case .heif: boxes(bytes)
        case .tiff: tiff(bytes)
        case .jxl, .svg: false
        }
    }

    /// No end marker after the first scan begins; segments before it are stepped over, as they may
    /// hold a preview with an end marker of its own.
    private static func jpeg(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= 2, bytes[0] == 0xFF, bytes[1] == 0xD8 else { return false }
        var offset = 2
        while true {
            guard offset + 4 <= bytes.count else { return true }
            guard bytes[offset] == 0xFF else { return false }
            let marker = bytes[offset + 1]
            if marker == 0xFF {
                offset += 1
                continue
            }
            offset += 2 + bytes.big(2, at: offset + 2)
            if marker == 0xDA { break }
        }
        while offset + 1 < bytes.count {
            if bytes[offset] == 0xFF && bytes[offset + 1] == 0xD9 { return false }
            offset += 1
        }
        return true
    }

    private static func png(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.has(0x8950_4E47, at: 0) else { return false }
        var offset = 8
        while true {
            guard offset + 12 <= bytes.count else { return true }
            let isEnd = bytes.big(4, at: offset + 4) == 0x4945_4E44
            offset += 12 + bytes.big(4, at: offset)
            if isEnd { return offset > bytes.count }
        }
    }

    /// Blocks up to the trailer, which many files lack: after a whole picture it is not missed.
    ///
    /// A byte that begins no block is damage, not an early end.
    private static func gif(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.has(0x4749_4638, at: 0) else { return false }
        guard bytes.count >= 13 else { return true }
        var offset = 13 + palette(bytes[10])
        var hasPicture = false
        while true {
            guard offset < bytes.count else { return !hasPicture || offset > bytes.count }
            switch bytes[offset] {
            case 0x3B: return false
            case 0x21: offset += 2
            case 0x2C:
                guard offset + 10 <= bytes.count else { return true }
                hasPicture = true
                offset += 11 + palette(bytes[offset + 9])
            default: return false
            }
            while true {
                guard offset < bytes.count else { return true }
                let length = Int(bytes[offset])
                offset += 1 + length
                if length == 0 { break }
            }
        }
    }

    private static func palette(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
    }

    /// A top-level box that is longer than the file.
    private static func boxes(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.has(0x6674_7970, at: 4) else { return false }
        var offset = 0
        while offset < bytes.count {
            guard offset + 8 <= bytes.count else { return true }
            var length = bytes.big(4, at: offset)
            if length == 0 { return false }
            if length == 1 {
                guard offset + 16 <= bytes.count else { return true }
                length = bytes.big(8, at: offset + 8)
            }
            guard length >= 8 else { return false }
            guard length <= bytes.count - offset else { return true }
            offset += length
        }
        return false
    }

    /// The first directory, or a strip or tile that it lists, lies past the end of the file.
    private static func tiff(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= 8 else { return true }
        let isLittle = bytes[0] == 0x49
        func number(_ width: Int, at offset: Int) -> Int? {
            guard offset >= 0, offset <= bytes.count - width else { return nil }
            return isLittle ? bytes.little(width, at: offset) : bytes.big(width, at: offset)
        }
        guard number(2, at: 2) == 42, let directory = number(4, at: 4) else { return false }
        guard let entries = number(2, at: directory) else { return true }
        var offsets: [Int] = []
        var lengths: [Int] = []
        for entry in 0..<entries {
            let at = directory + 2 + 12 * entry
            guard let tag = number(2, at: at), let type = number(2, at: at + 2),
                let count = number(4, at: at + 4)
            else { return true }
            guard [273, 324, 279, 325].contains(tag), type == 3 || type == 4 else { continue }
            let width = type == 3 ? 2 : 4
            guard let list = count * width <= 4 ? at + 8 : number(4, at: at + 8),
                count <= bytes.count, list <= bytes.count - count * width
            else { return true }
            let values = (0..<count).compactMap { number(width, at: list + $0 * width) }
            if tag == 273 || tag == 324 { offsets = values } else { lengths = values }
        }
        return zip(offsets, lengths).contains { $0 + $1 > bytes.count }
    }
}

extension Span<UInt8> {
    /// Whether four bytes are there and are these.
    func has(_ signature: Int, at offset: Int) -> Bool {
        count >= offset + 4 && big(4, at: offset) == signature
    }

    /// A big-endian number, of which the caller knows that it is there; too large ones are clamped.
    func big(_ width: Int, at offset: Int) -> Int {
        var value: UInt64 = 0
        for index in 0..<width { value = value << 8 | UInt64(self[offset + index]) }
        return Int(clamping: value)
    }

    func little(_ width: Int, at offset: Int) -> Int {
        var value: UInt64 = 0
        for index in (0..<width).reversed() { value = value << 8 | UInt64(self[offset + index]) }
        return Int(clamping: value)
    }
}
