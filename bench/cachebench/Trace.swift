/// Pictures in the order in which an app asks for them: the same on every machine.
enum Trace {
    private struct Dice: RandomNumberGenerator {
        var state: UInt64 = 2_026

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    /// From 50 to 150, as sizes differ.
    static func cost(of picture: Int) -> Int {
        var dice = Dice(state: UInt64(picture))
        return .random(in: 50...150, using: &dice)
    }

    /// A working set that is visited whole, in any order, and between two visits pictures that are
    /// seen once.
    ///
    /// - Parameters:
    ///   - workingSet: how many pictures are visited again and again.
    ///   - looks: how often each of them is asked for in a visit.
    ///   - scan: how many new ones come in between.
    ///   - visits: how often.
    ///   - lasting: after so many visits the working set is another one.
    /// - Returns: the numbers of the pictures.
    static func bursts(
        workingSet: Int,
        looks: Int,
        scan: Int,
        visits: Int,
        lasting: Int = .max
    ) -> [Int] {
        var dice = Dice()
        var trace: [Int] = []
        var next = workingSet * (1 + visits / lasting)
        for visit in 0..<visits {
            let first = workingSet * (visit / lasting)
            for _ in 0..<looks {
                trace += (first..<first + workingSet).shuffled(using: &dice)
            }
            trace += next..<next + scan
            next += scan
        }
        return trace
    }

    /// Of 2,000 pictures the first is asked for most, the second half as often, and so on.
    static func popularity(_ count: Int) -> [Int] {
        var dice = Dice()
        var sums: [Double] = []
        for rank in 1...2_000 { sums.append((sums.last ?? 0) + 1 / Double(rank)) }
        return (0..<count).map { _ in
            let point = Double.random(in: 0..<sums[1_999], using: &dice)
            var (low, high) = (0, 1_999)
            while low < high {
                let middle = (low + high) / 2
                if sums[middle] > point { high = middle } else { low = middle + 1 }
            }
            return low
        }
    }

    /// Through a long list, on the whole forward: each step is to a picture not far behind the
    /// furthest one.
    static func leafing(_ count: Int, back: Int) -> [Int] {
        var dice = Dice()
        var furthest = 0
        return (0..<count).map { _ in
            if Int.random(in: 0..<4, using: &dice) == 0 { furthest += 1 }
            return max(0, furthest - .random(in: 0..<back, using: &dice))
        }
    }
}
