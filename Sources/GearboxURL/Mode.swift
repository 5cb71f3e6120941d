/// How a picture is fitted to its box.
package enum Mode: String, Sendable, CaseIterable, Hashable, Codable {
    /// Fit inside the box; the picture keeps its shape and there are no bars.
    case x
    /// Fill the box and crop what hangs over.
    case y
    /// Cover the box without cropping.
    case z
}
