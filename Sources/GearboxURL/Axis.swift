/// Where mode `y` puts its crop window: tenths of the room on each side, 0 left or top, 10 right or
/// bottom.
package struct Axis: Hashable, Sendable, Codable {
    package var horizontal: Int
    package var vertical: Int

    package init(horizontal: Int, vertical: Int) {
        self.horizontal = horizontal
        self.vertical = vertical
    }

    package static let center = Axis(horizontal: 5, vertical: 5)
}
