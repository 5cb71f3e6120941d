internal import Store

/// What a body must be to be kept as an original.
struct BodyCheck: Sendable {
    let formats: Set<FileFormat>
    /// The request, whose secrets a message may not repeat of a body.
    var request: FetchRequest?

    /// Judges a body by its length and its first bytes.
    ///
    /// - Parameters:
    ///   - head: the first bytes.
    ///   - bytes: how many there are in all.
    ///   - sender: who gave them, as in "the server answered 200 with".
    ///   - subject: the URL or path.
    /// - Returns: why it is refused; `nil` where it is not.
    func refusal(
        head: [UInt8],
        bytes: Int,
        sender: String,
        subject: @autoclosure () -> String
    ) -> FetchError? {
        guard bytes > 0 else {
            return FetchError(
                code: .emptyBody,
                subject: subject(),
                message: "\(sender) an empty body"
            )
        }
        let format = FileFormat.sniff(head.span)
        guard !formats.contains(format) else { return nil }
        let isText = [.html, .xml, .json, .svg].contains(format) || Self.isText(head)
        let name = format == .unknown ? "no known type" : Self.name(of: format)
        return FetchError(
            code: .unsupportedType,
            subject: subject(),
            message: "\(sender) \(name)"
                + (isText ? ": \(Excerpt.of(head, hiding: request?.secrets ?? []))" : "")
        )
    }

    private static func name(of format: FileFormat) -> String {
        switch format {
        case .html, .xml, .json, .svg, .pdf, .bmp, .psd: format.rawValue.uppercased()
        default: format.rawValue
        }
    }

    private static func isText(_ head: [UInt8]) -> Bool {
        !head.isEmpty && head.allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) }
    }
}
