internal import GearboxURL

/// A rectangle in pixels, from the top left corner.
public struct PixelRectangle: Sendable, Hashable {
    public var x: Int
    public var y: Int
    public var width: Int
    public var height: Int

    init(_ rectangle: Rectangle) {
        x = rectangle.x
        y = rectangle.y
        width = rectangle.size.width
        height = rectangle.size.height
    }
}
