package import GearboxURL
package import Store

/// A variant that is asked for.
package struct WantedVariant: Hashable, Sendable {
    package var key: String
    /// What the variant is; `nil` for the original's own bytes under the source's plain key.
    package var directives: Directives?

    package init(key: String, directives: Directives?) {
        self.key = key
        self.directives = directives
    }
}

/// All that is to be made of one original.
package struct RenderJob: Hashable, Sendable {
    /// The original's file.
    package var original: String
    /// The original's format, told by its bytes.
    package var format: FileFormat
    package var wanted: [WantedVariant]

    package init(original: String, format: FileFormat, wanted: [WantedVariant]) {
        self.original = original
        self.format = format
        self.wanted = wanted
    }
}
