/// Where an entry stands between its neighbours: a link of a list that lies in an array.
struct EntryLink: Sendable {
    /// The place of the one that came later; `nil` for the last that came.
    var newer: Int?
    /// The place of the one that came earlier; `nil` for the first that leaves.
    var older: Int?
}

/// The ends of a list of entries, and what the entries cost together.
struct EntryQueue: Sendable {
    var newest: Int?
    var oldest: Int?
    var cost = 0
}
