/// The names of NOS's parameters; they are case-sensitive.
struct NOSNames: Sendable {
    let axis: ASCIIWord = "axis"
    let enlarge: ASCIIWord = "enlarge"
    let imageView: ASCIIWord = "imageView"
    let interlace: ASCIIWord = "interlace"
    let param: ASCIIWord = "param"
    let quality: ASCIIWord = "quality"
    let stripmeta: ASCIIWord = "stripmeta"
    let thumbnail: ASCIIWord = "thumbnail"
    let tostatic: ASCIIWord = "tostatic"
    let type: ASCIIWord = "type"

    private let center: ASCIIWord = "center"
    private let crop: ASCIIWord = "crop"
    private let rotate: ASCIIWord = "rotate"
    private let blur: ASCIIWord = "blur"
    private let pixel: ASCIIWord = "pixel"
    private let watermark: ASCIIWord = "watermark"

    static let all = NOSNames()

    /// Whether a name is an operation whose result is no plain resize.
    func isOperation(_ name: ASCIIWord) -> Bool {
        name == center || name == crop || name == rotate || name == blur || name == pixel
            || name == watermark
    }
}
