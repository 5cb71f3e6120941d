package import GearboxURL
package import Store

/// What is known of a source from its original's header.
package struct SourceFacts: Hashable, Sendable, Codable {
    package var format: FileFormat
    /// In pixels after orientation; of an animation the size of a frame.
    package var size: Size
    /// Whether the original has an alpha channel, used or not.
    package var hasAlpha: Bool
    package var isGrey: Bool
    /// How many frames an animation has; 1 for everything else.
    package var frames: Int
    /// Whether the original is an animation of which the decoder reads one picture only.
    package var losesAnimation: Bool
    /// Whether the decoder holds the whole picture at once: progressive JPEG, interlaced PNG.
    package var isProgressive: Bool
    /// Whether the stored pixels have to be turned to stand upright.
    package var isTurned: Bool
    /// How many bytes a pixel has as the decoder gives it.
    package var pixelBytes: Int
    /// The length of the original's file.
    package var bytes: Int

    package init(
        format: FileFormat,
        size: Size,
        hasAlpha: Bool = false,
        isGrey: Bool = false,
        frames: Int = 1,
        losesAnimation: Bool = false,
        isProgressive: Bool = false,
        isTurned: Bool = false,
        pixelBytes: Int = 3,
        bytes: Int = 0
    ) {
        self.format = format
        self.size = size
        self.hasAlpha = hasAlpha
        self.isGrey = isGrey
        self.frames = frames
        self.losesAnimation = losesAnimation
        self.isProgressive = isProgressive
        self.isTurned = isTurned
        self.pixelBytes = pixelBytes
        self.bytes = bytes
    }

    package var isAnimated: Bool { frames > 1 }
}
