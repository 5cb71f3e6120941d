/// A width and a height in pixels.
///
/// As a box, a side of 0 is one that the other side decides.
package struct Size: Hashable, Sendable, Codable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    package static let zero = Size(width: 0, height: 0)

    /// Whether neither side is asked for.
    package var isZero: Bool { width == 0 && height == 0 }
    package var longerSide: Int { max(width, height) }
    package var pixels: Int { width * height }
}
