/// Which variants of an index are meant; a list that is empty leaves nothing out.
package struct IndexSelection: Hashable, Sendable {
    /// The names of origins.
    package var origins: [String]
    /// Patterns of paths, the key up to its query; `*` is any run of characters.
    package var paths: [String]
    /// The longer sides of the boxes: a whole picture has none.
    package var gears: [Int]

    package init(origins: [String] = [], paths: [String] = [], gears: [Int] = []) {
        self.origins = origins
        self.paths = paths
        self.gears = gears
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
