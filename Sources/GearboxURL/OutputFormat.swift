/// A format that a variant can be written in.
///
/// The raw value is the word in URLs and in the index.
package enum OutputFormat: String, Sendable, CaseIterable, Hashable, Codable {
    case jpg, png, webp, gif, avif

    /// The format of a variant whose URL asks for none.
    ///
    /// - Parameters:
    ///   - sourceFormat: the original's true format, as its file extension.
    ///   - isAnimated: whether the original has more than one frame.
    /// - Returns: jpg, png and webp as they are, a still gif as png, all else as webp.
    package static func standard(
        forSource sourceFormat: String,
        isAnimated: Bool
    ) -> OutputFormat {
        switch sourceFormat {
        case "jpg": .jpg
        case "png": .png
        case "gif": isAnimated ? .webp : .png
        default: .webp
        }
    }
}
