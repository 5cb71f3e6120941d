/// A rectangle in pixels, from the top left corner.
package struct Rectangle: Hashable, Sendable {
    package var x: Int
    package var y: Int
    package var size: Size

    package init(x: Int, y: Int, size: Size) {
        self.x = x
        self.y = y
        self.size = size
    }
}
