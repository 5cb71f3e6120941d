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

    /// The URL as given.
    public var input: String
    /// Its canonical cache key.
    public var key: String
    public var result: Result
    /// The file, relative to the cache directory; `nil` on a miss, as all below.
    public var file: String?
    /// The file's path: the cache directory and `file`.
    public var path: String?
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
    /// Whether a transparent picture is to be drawn on a background: jpg is asked for, which has none,
    /// and the file is of another format.
    public var flattens = false

    /// - Parameters:
    ///   - input: the URL as given.
    ///   - request: what it asks for.
    ///   - answer: what the index says.
    ///   - fitted: what is to be done in place of the answer's own recipe.
    ///   - folder: the cache directory.
    init(input: String, request: Request, answer: Answer, fitted: Recipe?, folder: String) {
        self.input = input
        key = request.key
        var recipe = fitted
        switch answer {
        case .exact(let variant):
            result = .exact
            fill(from: variant, in: folder)
        case .alias(let variant):
            result = .alias
            fill(from: variant, in: folder)
        case .reuse(let variant, let own):
            result = .reuse
            fill(from: variant, in: folder)
            recipe = fitted ?? own
        case .miss:
            result = .miss
        }
        if let recipe {
            size = PixelSize(recipe.size)
            transform = Transform(recipe)
        }
        if let format { flattens = request.directives?.format == .jpg && format != "jpg" }
    }

    private mutating func fill(from variant: VariantRecord, in folder: String) {
        file = variant.file
        path = folder == "/" ? "/" + variant.file : "\(folder)/\(variant.file)"
        mode = variant.mode?.rawValue ?? ""
        size = variant.size.map { PixelSize($0) }
        quality = variant.quality
        format = variant.format
    }
}
