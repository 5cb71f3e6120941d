package import GearboxURL

/// What a client does to a stored picture to get the requested one: scale, then crop.
package struct Recipe: Hashable, Sendable {
    /// `nil`: the picture has this size already.
    package var scale: Size?
    /// `nil`: nothing is cut.
    package var crop: Rectangle?
    /// The size of the result in pixels.
    package var size: Size

    init(from picture: Size, to placement: Placement) {
        scale = picture == placement.scaled ? nil : placement.scaled
        crop = placement.crop
        size = placement.size
    }

    /// Whether the picture is to be shown as it is.
    package var isEmpty: Bool { scale == nil && crop == nil }
}
