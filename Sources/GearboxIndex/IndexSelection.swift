/// Which variants of an index are meant; a list that is empty leaves nothing out.
package struct IndexSelection: Hashable, Sendable {
    /// The names of origins.
    package var origins: [String]
    /// Patterns of paths, the key up to its query; `*` is any run of characters.
    package var paths: [String]
    /// The longer sides of the boxes: a whole picture has none.
    package var gears: [Int]

    /// How often variants were asked for; those that are not listed were not.
    package var hits: [VariantHits]
    /// Only what was asked for so often.
    package var minimumHits: Int?
    /// Only so many of the rest, the most asked for.
    package var top: Int?

    package init(
        origins: [String] = [],
        paths: [String] = [],
        gears: [Int] = [],
        hits: [VariantHits] = [],
        minimumHits: Int? = nil,
        top: Int? = nil
    ) {
        self.origins = origins
        self.paths = paths
        self.gears = gears
        self.hits = hits
        self.minimumHits = minimumHits
        self.top = top
    }

    /// The patterns as SQLite's GLOB has them, where other characters than `*` mean something, too.
    var globs: [String] {
        paths.map { pattern in
            pattern.reduce(into: "") { glob, character in
                glob += character == "[" || character == "?" ? "[\(character)]" : "\(character)"
            }
        }
    }
}
