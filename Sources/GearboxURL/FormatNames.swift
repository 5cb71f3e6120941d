/// The words for formats, as URLs hold them.
enum FormatNames {
    private static let jpg: ASCIIWord = "jpg"
    private static let jpeg: ASCIIWord = "jpeg"
    private static let png: ASCIIWord = "png"
    private static let webp: ASCIIWord = "webp"
    private static let gif: ASCIIWord = "gif"
    private static let avif: ASCIIWord = "avif"

    static func word(for format: OutputFormat) -> ASCIIWord {
        switch format {
        case .jpg: jpg
        case .png: png
        case .webp: webp
        case .gif: gif
        case .avif: avif
        }
    }

    /// The format of a word in any case; `nil` for any other word.
    static func format(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> OutputFormat? {
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
