/// A 64-bit hash that is the same in every run, unlike Swift's own: FNV-1a, its bits spread at the
/// end.
struct StableHash {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ text: String) {
        for byte in text.utf8 { take(byte) }
        // What no text holds, so that "ab", "c" is not "a", "bc".
        take(0xFF)
    }

    mutating func add(_ number: UInt64) {
        for place in 0..<8 { take(UInt8(truncatingIfNeeded: number >> UInt64(8 * place))) }
    }

    private mutating func take(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }

    var value: UInt64 {
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
