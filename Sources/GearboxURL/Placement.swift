/// Where the pixels of a variant come from: the whole picture scaled to `scaled`, then cut to `crop`.
package struct Placement: Hashable, Sendable {
    package var scaled: Size
    /// `nil`: nothing is cut.
    package var crop: Rectangle?

    /// The size that results.
    package var size: Size { crop?.size ?? scaled }

    package init(scaled: Size, crop: Rectangle? = nil) {
        self.scaled = scaled
        self.crop = crop
    }
}
