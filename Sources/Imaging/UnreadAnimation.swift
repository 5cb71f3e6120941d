/// Animations whose decoder shows one picture of them and says nothing of the others.
package enum UnreadAnimation {
    /// Where the chunks or brands that tell are, but for files with a very large profile.
    private static let headLength = 65_536

    /// Whether a file holds an animation that the loader does not read: an animated PNG, an image
    /// sequence in a HEIF or AVIF file.
    package static func isIn(_ path: String, loader: Loader) throws(ImagingError) -> Bool {
        guard loader == .png || loader == .heif else { return false }
        let (head, length) = try ImageFile.head(of: path, bytes: headLength)
        if loader == .heif { return isSequence(head.span) }
        if let isAnimated = isAnimatedPNG(head.span) { return isAnimated }
        guard head.count < length else { return false }
        let bytes = try ImageFile.bytes(of: path)
        return isAnimatedPNG(bytes.span) ?? false
    }

    /// An animation says so before the first pixels; `nil` where they are not reached.
    private static func isAnimatedPNG(_ bytes: Span<UInt8>) -> Bool? {
        var offset = 8
        while offset + 12 <= bytes.count {
            let name = bytes.big(4, at: offset + 4)
            if name == 0x6163_544C { return bytes.big(4, at: offset + 8) > 1 }
            if name == 0x4944_4154 { return false }
            offset += 12 + bytes.big(4, at: offset)
        }
        return nil
    }

    /// The brands of sequences, among those of the first box.
    private static func isSequence(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= 16 else { return false }
        let end = min(bytes.big(4, at: 0), bytes.count)
        let sequences = [0x6176_6973, 0x6D73_6631, 0x6865_7663, 0x6865_7678]
        for offset in stride(from: 8, to: end - 3, by: 4)
        where offset != 12 && sequences.contains(bytes.big(4, at: offset)) {
            return true
        }
        return false
    }
}
