internal import GearboxIndex
internal import GearboxURL

/// The answer of an index to a URL.
public struct Resolution: Sendable, Hashable {
    /// How the file answers the URL.
    public enum Result: String, Sendable, Hashable {
        /// It is the requested variant.
        case exact
        /// It is another variant of the same picture: apply `transform`.
        case reuse
        /// The URL as given is another name of the variant.
        case alias
        /// Nothing fits: fetch the URL.
        case miss
    }

    /// What is to be done to the file's picture: scale first, then crop.
    public struct Transform: Sendable, Hashable {
        /// The size to scale to in pixels; `nil`: not at all.
        public var scale: PixelSize?
        /// What to cut from the scaled picture; `nil`: nothing.
        public var crop: PixelRectangle?
    }

    /// The URL as given.
    public var input: String
    /// Its canonical cache key.
    public var key: String
    public var result: Result
    /// The file, relative to the cache directory; `nil` on a miss, as all below.
    public var file: String?
    /// The file's mode: x, y, z, or empty for a whole source.
    public var mode: String?
    /// The size of the picture to show, after `transform`, in pixels.
    public var size: PixelSize?
    /// The file's quality gear.
    public var quality: Int?
    /// The file's true format.
    public var format: String?
    /// `nil`: the file is shown as it is.
    public var transform: Transform?

    init(input: String, key: String, answer: Answer) {
        self.input = input
        self.key = key
        switch answer {
        case .exact(let variant):
            result = .exact
            fill(from: variant)
        case .alias(let variant):
            result = .alias
            fill(from: variant)
        case .reuse(let variant, let recipe):
            result = .reuse
            fill(from: variant)
            size = PixelSize(recipe.size)
            if !recipe.isEmpty {
                transform = Transform(
                    scale: recipe.scale.map { PixelSize($0) },
                    crop: recipe.crop.map { PixelRectangle($0) }
                )
            }
        case .miss:
            result = .miss
        }
    }

    private mutating func fill(from variant: VariantRecord) {
        file = variant.file
        mode = variant.mode?.rawValue ?? ""
        size = variant.size.map { PixelSize($0) }
        quality = variant.quality
        format = variant.format
    }
}

/// A width and a height in pixels.
public struct PixelSize: Sendable, Hashable {
    public var width: Int
    public var height: Int

    init(_ size: Size) {
        width = size.width
        height = size.height
    }
}

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
