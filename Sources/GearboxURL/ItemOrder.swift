/// Writes the items of a query in order: those of the directives, with the kept parameters of the
/// source merged in.
struct ItemOrder {
    private let kept: KeptParameters
    private var nextKept = 0
    private var hasItems = false

    @inline(__always)
    init(merging kept: KeptParameters) { self.kept = kept }

    /// Begins an item: writes what separates it, and its name.
    ///
    /// Items are begun in the order of their names; kept parameters whose turn has come go first.
    @inline(__always)
    mutating func begin(_ name: ASCIIWord, _ output: inout OutputSpan<UInt8>) {
        if nextKept < kept.count { writeKept(before: name, &output) }
        separate(&output)
        output.append(name)
    }

    /// Writes the kept parameters that are left.
    @inline(__always)
    mutating func finish(_ output: inout OutputSpan<UInt8>) {
        while nextKept < kept.count { writeNextKept(&output) }
    }

    /// Writes what goes before an item: `?` before the first, then `&`.
    @inline(__always)
    mutating func separate(_ output: inout OutputSpan<UInt8>) {
        output.append(hasItems ? URLByte.ampersand : URLByte.question)
        hasItems = true
    }

    private mutating func writeKept(before name: ASCIIWord, _ output: inout OutputSpan<UInt8>) {
        while nextKept < kept.count, kept.parameter(nextKept, precedes: name) {
            writeNextKept(&output)
        }
    }

    private mutating func writeNextKept(_ output: inout OutputSpan<UInt8>) {
        separate(&output)
        kept.append(nextKept, to: &output)
        nextKept += 1
    }
}
