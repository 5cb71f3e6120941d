extension Resolution {
    /// How far the recipe of an answer goes.
    public enum Fit: String, Sendable, Hashable, CaseIterable {
        /// To the size of the variant that the URL stands for: the size after gears, which all clients
        /// share.
        case gear
        /// On to the size that the URL asked for before gears.
        case request
    }
}
