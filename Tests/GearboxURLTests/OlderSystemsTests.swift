import GearboxURL
import Testing

/// What stands in where a system lacks UTF8Span and arrays without a heap.
@Suite("On older systems")
struct OlderSystemsTests {
    @Test("the sets of bytes are the same")
    func sets() {
        for byte in UInt8.min...UInt8.max {
            #expect(URLByte.setsByDefinition[Int(byte)] == URLByte.sets(of: byte), "\(byte)")
        }
    }

    @Test("bytes that are UTF-8 make the same text, and others none")
    func text() {
        for text in ["", "/a.jpg", "/ä\u{FFFD}/図.jpg"] {
            #expect(String(copyingUTF8: Array(text.utf8).span) == text)
        }
        for bytes: [UInt8] in [[0x80], [0x41, 0xC3], [0xED, 0xA0, 0x80]] {
            #expect(String(copyingUTF8: bytes.span) == nil)
        }
    }
}
