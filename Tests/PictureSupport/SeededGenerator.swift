import Foundation

/// SplitMix64: the same numbers for the same seed on every machine.
package struct SeededGenerator: RandomNumberGenerator {
    package let seed: UInt64
    private var state: UInt64

    /// - Parameter seed: used unless GEARBOX_SEED says another.
    package init(seed: UInt64) {
        let override = ProcessInfo.processInfo.environment["GEARBOX_SEED"].flatMap { UInt64($0) }
        self.seed = override ?? seed
        state = self.seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Whether the long form of a property test is asked for.
    package static var isSoaking: Bool {
        ProcessInfo.processInfo.environment["GEARBOX_SOAK"] == "1"
    }
}
