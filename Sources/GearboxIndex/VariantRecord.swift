package import GearboxURL

/// A row of the index's `variant`: one rendering and its file.
package struct VariantRecord: Hashable, Sendable {
    package var key: String
    /// `nil` for the whole source and for opaque rows.
    package var mode: Mode?
    package var quality: Int
    /// The file's true format, as its extension.
    package var format: String
    package var enlarge: Bool
    package var extra: String
    /// In pixels; `nil` where it is not known.
    package var size: Size?
    package var animated: Bool
    /// The whole source, neither scaled nor cropped.
    package var fullSize: Bool
    /// Relative to the cache directory.
    package var file: String

    package init(
        key: String,
        mode: Mode?,
        quality: Int,
        format: String,
        enlarge: Bool = false,
        extra: String = "",
        size: Size?,
        animated: Bool = false,
        fullSize: Bool = false,
        file: String
    ) {
        self.key = key
        self.mode = mode
        self.quality = quality
        self.format = format
        self.enlarge = enlarge
        self.extra = extra
        self.size = size
        self.animated = animated
        self.fullSize = fullSize
        self.file = file
    }
}
