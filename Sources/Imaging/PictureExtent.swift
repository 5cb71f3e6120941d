/// Where the whole picture lies along one axis, in an image's own pixel coordinates.
///
/// An image that is the whole picture has the origin 0 and its own length. A decoder that shrinks
/// leaves a fraction of a pixel over; an image that was cut begins inside the picture.
package struct AxisExtent: Hashable, Sendable {
    package var origin: Double
    package var length: Double

    package init(origin: Double = 0, length: Double) {
        self.origin = origin
        self.length = length
    }

    /// The extent after the image, `count` pixels long, is turned end to end.
    package func flipped(count: Int) -> AxisExtent {
        AxisExtent(origin: Double(count) - origin - length, length: length)
    }
}

/// The same along both axes.
package struct PictureExtent: Hashable, Sendable {
    package var horizontal: AxisExtent
    package var vertical: AxisExtent

    package init(horizontal: AxisExtent, vertical: AxisExtent) {
        self.horizontal = horizontal
        self.vertical = vertical
    }

    /// The extent of an image that is the whole picture.
    package init(width: Int, height: Int) {
        self.init(
            horizontal: AxisExtent(length: Double(width)),
            vertical: AxisExtent(length: Double(height))
        )
    }
}
