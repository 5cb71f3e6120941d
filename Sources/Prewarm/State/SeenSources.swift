/// The rows of sources that this listing has named before, so that most lines need no statement.
///
/// A name is held as 96 bits of a hash that nobody can foresee. There is a bound; what is beyond it
/// is looked up each time.
struct SeenSources {
    private struct Slot {
        var first: UInt64 = 0
        var second: UInt32 = 0
        /// 0: free.
        var row: UInt32 = 0
    }

    private static let most = 1_500_000

    private var slots = [Slot](repeating: Slot(), count: 1 << 18)
    private var count = 0

    struct Key {
        fileprivate var first: UInt64
        fileprivate var second: UInt32

        init(_ name: SourceName) {
            var hashes = (Hasher(), Hasher())
            hashes.1.combine(0)
            hashes.0.combine(name.origin)
            hashes.1.combine(name.origin)
            hashes.0.combine(name.kind)
            hashes.1.combine(name.kind)
            hashes.0.combine(name.path)
            hashes.1.combine(name.path)
            first = UInt64(bitPattern: Int64(hashes.0.finalize()))
            second = UInt32(truncatingIfNeeded: hashes.1.finalize())
        }
    }

    subscript(key: Key) -> Int? {
        let row = slots[place(of: key)].row
        return row == 0 ? nil : Int(row)
    }

    mutating func insert(_ key: Key, row: Int) {
        precondition(row > 0, "rows are numbered from 1")
        guard count < Self.most, let row = UInt32(exactly: row) else { return }
        if 4 * count >= 3 * slots.count { grow() }
        let place = place(of: key)
        if slots[place].row == 0 { count += 1 }
        slots[place] = Slot(first: key.first, second: key.second, row: row)
    }

    private func place(of key: Key) -> Int {
        place(first: key.first, second: key.second, among: slots)
    }

    private func place(first: UInt64, second: UInt32, among slots: [Slot]) -> Int {
        var place = Int(truncatingIfNeeded: first) & (slots.count - 1)
        while slots[place].row != 0
            && (slots[place].first != first || slots[place].second != second)
        {
            place = (place + 1) & (slots.count - 1)
        }
        return place
    }

    private mutating func grow() {
        var larger = [Slot](repeating: Slot(), count: 2 * slots.count)
        for slot in slots where slot.row != 0 {
            larger[place(first: slot.first, second: slot.second, among: larger)] = slot
        }
        slots = larger
    }
}
