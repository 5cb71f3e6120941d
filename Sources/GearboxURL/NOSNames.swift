/// The names of NOS's parameters; they are case-sensitive.
enum NOSNames {
    static let axis: ASCIIWord = "axis"
    static let enlarge: ASCIIWord = "enlarge"
    static let imageView: ASCIIWord = "imageView"
    static let interlace: ASCIIWord = "interlace"
    static let param: ASCIIWord = "param"
    static let quality: ASCIIWord = "quality"
    static let stripmeta: ASCIIWord = "stripmeta"
    static let thumbnail: ASCIIWord = "thumbnail"
    static let tostatic: ASCIIWord = "tostatic"
    static let type: ASCIIWord = "type"

    private static let center: ASCIIWord = "center"
    private static let crop: ASCIIWord = "crop"
    private static let rotate: ASCIIWord = "rotate"
    private static let blur: ASCIIWord = "blur"
    private static let pixel: ASCIIWord = "pixel"
    private static let watermark: ASCIIWord = "watermark"

    /// Whether a name is an operation whose result is no plain resize.
    static func isOperation(_ name: ASCIIWord) -> Bool {
        name == center || name == crop || name == rotate || name == blur || name == pixel
            || name == watermark
    }
}
