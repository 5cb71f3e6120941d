package import Store

/// What a body must be to be kept as an original.
///
/// A class, as each part of a try holds it: a request's many fields are not copied for each.
package final class BodyCheck: Sendable {
    let formats: Set<FileFormat>
    /// The request, whose secrets a message may not repeat of a body.
    let request: FetchRequest?

    package init(formats: Set<FileFormat>, request: FetchRequest? = nil) {
        self.formats = formats
        self.request = request
    }

    /// Judges a file of a mirror.
    ///
    /// - Parameters:
    ///   - path: where it is.
    ///   - head: the first bytes.
    ///   - bytes: how many there are in all.
    /// - Returns: why it is refused; `nil` where it is not.
    package func refusal(ofMirrored path: String, head: [UInt8], bytes: Int) -> FetchError? {
        refusal(head: head, bytes: bytes, sender: "the mirror has", subject: path)
    }

    /// What a mirror's file is refused with whose length alone is too much.
    package static func tooLarge(_ path: String, bytes: Int, most: Int) -> FetchError {
        FetchError(
            code: .tooLarge,
            subject: path,
            message: "\(bytes) bytes, at most \(most) are taken"
        )
    }

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
