/// Sizes and times as people write them in a pipeline file.
package enum Quantity {
    /// Bytes: a number, or text such as `64MiB`, `1.5GB`.
    package static func bytes(_ tree: JSONTree) -> Int? {
        switch tree {
        case .number(let number): return positive(number)
        case .string(let text):
            let units: [(String, Double)] = [
                ("kib", 1_024), ("mib", 1_048_576), ("gib", 1_073_741_824),
                ("tib", 1_099_511_627_776), ("kb", 1_000), ("mb", 1_000_000),
                ("gb", 1_000_000_000), ("tb", 1_000_000_000_000), ("b", 1),
            ]
            return scaled(text, units)
        default: return nil
        }
    }

    /// Seconds: a number, or text such as `90s`, `30m`, `5h`, `7d`.
    package static func seconds(_ tree: JSONTree) -> Int? {
        switch tree {
        case .number(let number): return positive(number)
        case .string(let text):
            return scaled(text, [("s", 1), ("m", 60), ("h", 3_600), ("d", 86_400), ("w", 604_800)])
        default: return nil
        }
    }

    private static func scaled(_ text: String, _ units: [(String, Double)]) -> Int? {
        let folded = text.lowercased().filter { $0 != " " }
        for (unit, factor) in units where folded.hasSuffix(unit) {
            return Double(folded.dropLast(unit.count)).flatMap { positive($0 * factor) }
        }
        return Double(folded).flatMap(positive)
    }

    private static func positive(_ number: Double) -> Int? {
        guard number >= 1, number <= 9e15 else { return nil }
        return Int(number)
    }
}
