/// `imageView2/<mode>/w/<W>/h/<H>/q/<Q>/format/<F>`: what Qiniu and Tencent have in common.
///
/// The whole string is the name of one valueless item. Mode 1 is y, 2 is x, 3 is z; 0, 4 and 5 are
/// the same by longer and shorter side, and so only where these are equal. Neither service
/// enlarges. What is left out of the grammar here makes a URL opaque.
struct ImageView2 {
    /// Whether `interlace` is in the service's grammar.
    let hasInterlace: Bool

    private static let name: ASCIIWord = "imageView2/"
    private static let slash = UInt8(ascii: "/")

    /// Reads an item that is an operation; `false` for any other.
    func read(
        _ item: QueryItem,
        of query: borrowing Span<UInt8>,
        defaultQuality: Int,
        into reading: inout DirectiveReading
    ) -> Bool {
        guard isOperation(item.name, query) else { return false }
        var operation = DirectiveReading()
        var parts = OperationParts(item.name, separator: Self.slash)
        if let first = parts.next(in: query), query.holds("imageView2", at: first) {
            if item.value == nil {
                read(&parts, item, query, into: &operation)
            } else {
                operation.refuse(.value, item)
            }
        } else {
            guard item.value == nil else { return false }
            operation.refuse(.operation, item)
        }
        reading.adopt(operation, item, defaultQuality: defaultQuality)
        return true
    }

    func canWrite(_ directives: Directives) -> Bool {
        directives.axis == .center && !directives.enlarge && !directives.keepsAnimation
            && (hasInterlace || !directives.interlace)
    }

    func write(
        _ directives: Directives,
        in order: inout ItemOrder,
        to output: inout OutputSpan<UInt8>
    ) {
        order.begin(Self.name, &output)
        output.append(digit(for: directives.mode))
        if directives.box.width > 0 {
            output.append("/w/")
            output.append(directives.box.width)
        }
        if directives.box.height > 0 {
            output.append("/h/")
            output.append(directives.box.height)
        }
        output.append("/q/")
        output.append(directives.quality)
        if let format = directives.format {
            output.append("/format/")
            output.append(FormatNames.word(for: format))
        }
        if directives.interlace { output.append("/interlace/1") }
    }

    /// Whether a name holds a slash, as operations do, or is one of those that need none.
    private func isOperation(_ name: Range<Int>, _ bytes: borrowing Span<UInt8>) -> Bool {
        var parts = OperationParts(name, separator: Self.slash)
        _ = parts.next(in: bytes)
        if parts.next(in: bytes) != nil { return true }
        for word in Self.bareOperations where bytes.holds(word, at: name) { return true }
        return false
    }

    private static let bareOperations: [ASCIIWord] = [
        "imageView2", "imageMogr2", "imageInfo", "imageAve", "imageslim", "exif",
    ]

    private func digit(for mode: Mode?) -> UInt8 {
        switch mode {
        case .y: UInt8(ascii: "1")
        case .x, nil: UInt8(ascii: "2")
        case .z: UInt8(ascii: "3")
        }
    }

    /// Reads `<mode>/name/value/...`.
    private func read(
        _ parts: inout OperationParts,
        _ item: QueryItem,
        _ bytes: borrowing Span<UInt8>,
        into reading: inout DirectiveReading
    ) {
        guard let digit = parts.next(in: bytes), digit.count == 1,
            let mode = bytes.number(at: digit), mode <= 5
        else { return reading.refuse(.value, item) }
        var width: Int?
        var height: Int?
        var seen: Set<ASCIIWord> = []
        while let name = parts.next(in: bytes) {
            guard let value = parts.next(in: bytes), name.count <= ASCIIWord.capacity else {
                return reading.refuse(.value, item)
            }
            let word = ASCIIWord(bytes, name)
            guard seen.insert(word).inserted else { return reading.refuse(.conflict, item) }
            switch word {
            case "w", "h":
                guard let side = bytes.number(at: value), SizeLadder.range.contains(side) else {
                    return reading.refuse(.value, item)
                }
                if word == "w" { width = side } else { height = side }
            case "q":
                reading.setQuality(quality(bytes, value), item)
            case "format":
                reading.setFormat(FormatNames.format(bytes, value), item)
            case "interlace" where hasInterlace:
                reading.setInterlace(NOSValues.flag(bytes, value), item)
            default:
                return reading.refuse(.operation, item)
            }
        }
        if width != nil || height != nil {
            reading.setSize(Self.size(mode, width, height), item)
        } else if seen.isEmpty {
            reading.refuse(.value, item)
        }
    }

    /// The box of a mode; `nil` where it depends on which side of the source is longer.
    private static func size(
        _ mode: Int,
        _ width: Int?,
        _ height: Int?
    ) -> DirectiveReading.RequestedSize? {
        // Except in 0 and 2, one side stands for both.
        let square = width ?? height ?? 0
        switch mode {
        case 1: return .init(mode: .y, width: width ?? square, height: height ?? square)
        case 2: return .init(mode: .x, width: width ?? 0, height: height ?? 0)
        case 3: return .init(mode: .z, width: width ?? square, height: height ?? square)
        case 0:
            // The shorter side of a box that limits the longer one alone is free.
            guard let width, height == nil || height == width else { return nil }
            return .init(mode: .x, width: width, height: width)
        default:
            guard width == nil || height == nil || width == height else { return nil }
            return .init(mode: mode == 4 ? .z : .y, width: square, height: square)
        }
    }

    /// `N` or `N!`, which forces a quality above the source's and counts as `N` here.
    private func quality(_ bytes: borrowing Span<UInt8>, _ value: Range<Int>) -> Int? {
        var digits = value
        if !value.isEmpty, bytes[value.upperBound - 1] == UInt8(ascii: "!") {
            digits = value.lowerBound..<value.upperBound - 1
        }
        guard let quality = bytes.number(at: digits), QualityLadder.range.contains(quality) else {
            return nil
        }
        return quality
    }
}
