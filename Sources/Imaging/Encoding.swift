/// A file format to write, with everything that decides its bytes.
package enum Encoding: Hashable, Sendable {
    /// Quality 1...100. Has no alpha: flatten first.
    case jpeg(quality: Int, progressive: Bool)
    /// Lossless.
    case png(interlaced: Bool)
    /// Quality 1...100; effort 0...6.
    case webp(quality: Int, effort: Int)
    /// At most 256 colours a frame.
    case gif(interlaced: Bool)
    /// Quality 1...100; effort 0...9.
    case avif(quality: Int, effort: Int)
}
