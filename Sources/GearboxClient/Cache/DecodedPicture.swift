/// A picture ready to be shown, as a cache holds it.
public struct DecodedPicture<Picture: Sendable>: Sendable {
    public var picture: Picture
    /// The picture's real size in pixels.
    public var size: PixelSize
    /// What it costs to hold, in the unit of the cache's limit.
    public var cost: Int

    /// - Parameters:
    ///   - picture: the picture.
    ///   - size: its real size in pixels, both sides at least 1.
    ///   - cost: what it costs to hold; `nil`: four bytes a pixel.
    public init(_ picture: Picture, size: PixelSize, cost: Int? = nil) {
        precondition(
            size.width > 0 && size.height > 0,
            "a decoded picture has at least one pixel on each side"
        )
        self.picture = picture
        self.size = size
        self.cost = cost ?? 4 * size.width * size.height
    }
}
