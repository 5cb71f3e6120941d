internal import GearboxIndex

/// What an export has made.
package struct ExportReport: Hashable, Sendable {
    /// How many names answer.
    package var names = 0
    /// The files of pictures, and the bytes of all of them, as a client's disk will hold them.
    package var files = 0
    package var bytes = 0
    /// Of the files: how many are hard links of the store's.
    package var linked = 0
    package var refused: [Refusal: Refused] = [:]

    /// Names that were left out for one reason.
    package struct Refused: Hashable, Sendable {
        package var count: Int
        package var first: String
    }

    /// Whether a variant has not even its own name: an alias is a second one.
    package private(set) var lacksVariants = false
    /// How many names were left out.
    package var refusals: Int { refused.values.reduce(0) { $0 + $1.count } }

    mutating func refuse(_ key: String, of name: IndexedName, _ refusal: Refusal) {
        if !name.isAlias { lacksVariants = true }
        refused[refusal, default: Refused(count: 0, first: key)].count += 1
    }
}
