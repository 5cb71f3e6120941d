/// A pattern for names of parameters: `*` matches any run of bytes, also an empty one.
struct NamePattern: Sendable {
    /// The pattern as it is configured.
    let text: String
    /// Percent-normalised as names are.
    private let wildcard: Wildcard

    init(_ text: String) {
        self.text = text
        var normal: [UInt8] = []
        let bytes = Array(text.utf8)
        PercentEncoding.appendNormal(
            bytes.span,
            0..<bytes.count,
            allowed: { URLByte.isQuery($0) && $0 != URLByte.equals && $0 != URLByte.ampersand },
            to: &normal
        )
        wildcard = Wildcard(normal)
    }

    func matches(_ bytes: borrowing Span<UInt8>, _ name: Range<Int>) -> Bool {
        wildcard.matches(bytes, name)
    }
}
