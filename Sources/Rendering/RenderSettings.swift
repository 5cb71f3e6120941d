package import Store

/// What a pipeline says about rendering; the same for all sources of a run.
package struct RenderSettings: Hashable, Sendable, Codable {
    package enum Animation: String, Sendable, CaseIterable, Hashable, Codable {
        /// The first frame, unless a URL asks for the animation.
        case `static`
        /// Every frame where the format can.
        case keep
    }

    package enum Truncated: String, Sendable, CaseIterable, Hashable, Codable {
        case reject, accept
    }

    /// An opaque colour.
    package struct Colour: Hashable, Sendable, Codable {
        package var red: UInt8
        package var green: UInt8
        package var blue: UInt8

        package init(red: UInt8, green: UInt8, blue: UInt8) {
            self.red = red
            self.green = green
            self.blue = blue
        }

        package static let white = Colour(red: 255, green: 255, blue: 255)
    }

    /// How hard an encoder tries to make files small.
    package struct Effort: Hashable, Sendable, Codable {
        /// 0...6.
        package var webp: Int
        /// 0...9.
        package var avif: Int

        package init(webp: Int = 4, avif: Int = 4) {
            self.webp = webp
            self.avif = avif
        }
    }

    /// What an original may cost; checked on its header, before any pixel is decoded.
    package struct Limits: Hashable, Sendable, Codable {
        package var bytes: Int
        /// Of one frame; of a kept animation all frames together.
        package var pixels: Int
        package var frames: Int
        /// Wall-clock seconds for all variants of one source; `nil` for none.
        package var seconds: Double?
        /// Bytes that a worker may have in memory, all in all.
        package var memory: Int

        package init(
            bytes: Int = 64 << 20,
            pixels: Int = 100_000_000,
            frames: Int = 300,
            seconds: Double? = 60,
            memory: Int = 1 << 30
        ) {
            self.bytes = bytes
            self.pixels = pixels
            self.frames = frames
            self.seconds = seconds
            self.memory = memory
        }
    }

    /// What transparent pixels stand on where the format has no alpha.
    package var background: Colour
    package var effort: Effort
    package var animation: Animation
    package var truncated: Truncated
    package var limits: Limits
    /// What is done to every raster before it is encoded, in this order.
    package var steps: [Step]
    /// The formats that may be decoded at all.
    package var loaders: Set<FileFormat>

    package static let standardLoaders: Set<FileFormat> = [
        .jpeg, .png, .webp, .gif, .tiff, .heif, .avif,
    ]

    package init(
        background: Colour = .white,
        effort: Effort = Effort(),
        animation: Animation = .static,
        truncated: Truncated = .reject,
        limits: Limits = Limits(),
        steps: [Step] = [],
        loaders: Set<FileFormat> = RenderSettings.standardLoaders
    ) {
        self.background = background
        self.effort = effort
        self.animation = animation
        self.truncated = truncated
        self.limits = limits
        self.steps = steps
        self.loaders = loaders
    }
}
