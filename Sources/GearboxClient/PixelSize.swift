internal import GearboxURL

/// A width and a height in pixels.
public struct PixelSize: Sendable, Hashable {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    init(_ size: Size) {
        width = size.width
        height = size.height
    }
}
