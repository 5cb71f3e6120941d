package import GearboxURL
package import Store

/// A variant that is asked for.
package struct WantedVariant: Hashable, Sendable, Codable {
    package var key: String
    /// What the variant is; `nil` for the original's own bytes under the source's plain key.
    package var directives: Directives?

    package init(key: String, directives: Directives?) {
        self.key = key
        self.directives = directives
    }
}

/// What is to be made of one original.
package struct RenderJob: Hashable, Sendable, Codable {
    /// The original's file.
    package var original: String
    /// The original's format, told by its bytes.
    package var format: FileFormat
    /// All variants of the source, also those that are there already: what a raster is cut from
    /// depends on the others, and a variant's bytes must not depend on when it is made.
    package var wanted: [WantedVariant]
    /// The keys of those that are made; `nil`: all.
    package var due: Set<String>?

    package init(
        original: String,
        format: FileFormat,
        wanted: [WantedVariant],
        due: Set<String>? = nil
    ) {
        self.original = original
        self.format = format
        self.wanted = wanted
        self.due = due
    }
}
