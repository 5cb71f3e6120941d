/// The words for formats, as URLs hold them.
struct FormatNames: Sendable {
    private let jpg: ASCIIWord = "jpg"
    private let jpeg: ASCIIWord = "jpeg"
    private let png: ASCIIWord = "png"
    private let webp: ASCIIWord = "webp"
    private let gif: ASCIIWord = "gif"
    private let avif: ASCIIWord = "avif"

    static let all = FormatNames()

    func word(for format: OutputFormat) -> ASCIIWord {
        switch format {
        case .jpg: jpg
        case .png: png
        case .webp: webp
        case .gif: gif
        case .avif: avif
        }
    }

    /// The format of a word in any case; `nil` for any other word.
    func format(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> OutputFormat? {
        guard range.count <= 4 else { return nil }
        var word = ASCIIWord()
        for index in range { word.append(URLByte.lowercased(bytes[index])) }
        if word == jpg || word == jpeg { return .jpg }
        if word == webp { return .webp }
        if word == png { return .png }
        if word == gif { return .gif }
        return word == avif ? .avif : nil
    }
}
