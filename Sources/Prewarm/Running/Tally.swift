/// What a stage did, counted by name.
package struct Tally: Sendable, Hashable {
    package private(set) var counts: [String: Int] = [:]

    package init() {}

    package mutating func add(_ name: String, _ count: Int = 1) {
        counts[name, default: 0] += count
    }

    mutating func add(_ other: Tally) {
        counts.merge(other.counts, uniquingKeysWith: +)
    }

    package subscript(name: String) -> Int { counts[name] ?? 0 }

    /// By name.
    package var sorted: [(name: String, count: Int)] {
        counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
