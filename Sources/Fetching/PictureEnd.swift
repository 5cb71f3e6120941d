internal import Store

/// Whether a body has the end that a picture of its format has.
///
/// Asked only where HTTP has not marked the body's end. A doubt costs one more transfer, so a
/// picture with something odd behind its end is not lost.
package enum PictureEnd {
    package static func isThere(head: [UInt8], tail: [UInt8], bytes: Int) -> Bool {
        switch FileFormat.sniff(head.span) {
        case .jpeg: has([0xFF, 0xD9], in: tail)
        case .png: has(Array("IEND".utf8), in: tail)
        case .gif: tail.last == 0x3B
        case .webp: bytes >= 8 + littleEndian(head[4..<8])
        default: true
        }
    }

    private static func has(_ mark: [UInt8], in tail: [UInt8]) -> Bool {
        guard tail.count >= mark.count else { return false }
        return (0...tail.count - mark.count).contains {
            tail[$0..<$0 + mark.count].elementsEqual(mark)
        }
    }

    private static func littleEndian(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
