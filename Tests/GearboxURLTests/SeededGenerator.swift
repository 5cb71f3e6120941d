import Foundation

/// SplitMix64: small, fast, and the same everywhere for a seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &self)]
    }

    /// Whether an event of a probability happens.
    mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &self) < probability
    }
}

/// How many cases a property is tried on, and from which seed.
enum Sample {
    /// `GEARBOX_SEED` repeats a run that failed.
    static let seed: UInt64 =
        ProcessInfo.processInfo.environment["GEARBOX_SEED"].flatMap { UInt64($0) }
        ?? UInt64.random(in: 1...999_999)

    /// A million with `GEARBOX_SOAK=1`.
    static let count =
        ProcessInfo.processInfo.environment["GEARBOX_SOAK"] == "1" ? 1_000_000 : 10_000

    /// Tries a property, which says what is wrong with a case or `nil`; stops at the first case.
    ///
    /// - Parameters:
    ///   - salt: makes properties of one seed look at different cases.
    ///   - property: takes the generator that everything random comes from.
    /// - Returns: what is wrong, with the seed that shows it; `nil` if nothing is.
    static func failure(
        salt: UInt64,
        _ property: (inout SeededGenerator) throws -> String?
    ) rethrows -> String? {
        var generator = SeededGenerator(seed: seed &* 31 &+ salt)
        for index in 0..<count {
            if let failure = try property(&generator) {
                return "GEARBOX_SEED=\(seed), case \(index): \(failure)"
            }
        }
        return nil
    }
}
