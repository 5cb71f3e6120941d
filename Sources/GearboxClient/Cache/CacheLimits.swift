/// How much a cache holds, and how it is shared out.
package struct CacheLimits: Sendable {
    /// The most that all pictures cost together.
    package var cost: Int
    /// What newcomers may cost before one of them leaves in place of a proven picture.
    package var newcomersCost: Int
    /// The names that are remembered of newcomers which left, for each picture held.
    package var ghosts: Double

    /// - Parameters:
    ///   - cost: the most that all pictures cost together.
    ///   - newcomersShare: the part of it that is the newcomers', 0 to 1.
    ///   - ghosts: names remembered for each picture held.
    package init(cost: Int, newcomersShare: Double, ghosts: Double) {
        precondition(cost >= 0, "the limit of a cache cannot be less than nothing")
        precondition((0...1).contains(newcomersShare), "a share is from 0 to 1")
        self.cost = cost
        self.newcomersCost = Int(Double(cost) * newcomersShare)
        self.ghosts = ghosts
    }
}
