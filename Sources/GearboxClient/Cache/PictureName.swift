/// A source, by what tells it from all others.
struct SourceName: Sendable, Hashable {
    var origin: String
    /// What is never related is a source of its own: its key.
    var path: String
}

/// A picture, by what tells it from all others.
struct PictureName: Sendable, Hashable {
    var source: SourceName
    /// Of the source's bytes; empty where they are not known.
    var version: String
    /// Its key, and the size before gears where it has that: two sizes may share a key.
    var key: String
}
