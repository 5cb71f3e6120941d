/// The ladder that wastes the least, found exactly: by dynamic programming, not by trying.
///
/// A gear that is none of the values that were asked for may be lowered to the next one that was,
/// which never wastes more; so only those are candidates. And a further gear never wastes more, so
/// the best ladder of so many gears is the best of at most so many.
package enum LadderSearch {
    /// Chooses gears among candidates in ascending order.
    ///
    /// Of ladders that waste the same, the one whose gears are lower wins, compared from the top.
    ///
    /// - Parameters:
    ///   - count: how many gears, at least one; with fewer candidates all of them are the ladder.
    ///   - candidates: how many values there are, at least one.
    ///   - waste: for the gear at a place: what each candidate up to that place, itself included,
    ///     wastes when it goes up to that gear.
    ///   - rest: for the gear at a place as the top one: what all candidates above it waste; `nil`
    ///     where it may not be the top.
    /// - Returns: the places of the gears, ascending.
    package static func best(
        count: Int,
        candidates: Int,
        waste: (Int) -> [Int],
        rest: (Int) -> Int?
    ) -> [Int] {
        precondition(count > 0 && candidates > 0, "a ladder has at least one gear")
        let count = min(count, candidates)
        // least[k][j]: what candidates up to j waste on the best k + 1 gears that end at j;
        // below[k][j]: where the gear before j is then.
        var least = [[Int]](repeating: [], count: count)
        var below = [[Int]](repeating: [], count: count)
        for gear in 0..<candidates {
            // sums[i]: what candidates before i waste on this gear.
            let sums = waste(gear).reduce(into: [0]) { sums, waste in
                sums.append(sums[sums.count - 1] + waste)
            }
            least[0].append(sums[gear + 1])
            below[0].append(-1)
            // A gear needs as many candidates below it as there are gears below it.
            for step in 1..<max(1, min(count, gear + 1)) {
                let shorter = least[step - 1]
                var best = Int.max
                var place = -1
                for lower in step - 1..<gear {
                    let total = shorter[lower - (step - 1)] - sums[lower + 1]
                    if total < best { (best, place) = (total, lower) }
                }
                least[step].append(best + sums[gear + 1])
                below[step].append(place)
            }
        }
        return ladder(count, candidates, least, below, rest)
    }

    /// Follows the best top gear down.
    private static func ladder(
        _ count: Int,
        _ candidates: Int,
        _ least: [[Int]],
        _ below: [[Int]],
        _ rest: (Int) -> Int?
    ) -> [Int] {
        var best = Int.max
        var top = candidates - 1
        for gear in count - 1..<candidates {
            guard let rest = rest(gear) else { continue }
            let total = least[count - 1][gear - (count - 1)] + rest
            if total < best { (best, top) = (total, gear) }
        }
        var ladder: [Int] = []
        for step in (0..<count).reversed() {
            ladder.append(top)
            top = below[step][top - step]
        }
        return ladder.reversed()
    }
}
