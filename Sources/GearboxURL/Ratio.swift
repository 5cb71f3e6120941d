/// A scale as a fraction of positive integers: comparing and rounding stay exact.
struct Ratio: Comparable {
    let over: Int
    let under: Int

    static let one = Ratio(1, 1)

    init(_ over: Int, _ under: Int) {
        self.over = over
        self.under = under
    }

    /// `max(1, floor(side * ratio + 1/2))`.
    func scaling(_ side: Int) -> Int { max(1, (2 * side * over + under) / (2 * under)) }

    static func == (a: Ratio, b: Ratio) -> Bool { a.over * b.under == b.over * a.under }
    static func < (a: Ratio, b: Ratio) -> Bool { a.over * b.under < b.over * a.under }
}
