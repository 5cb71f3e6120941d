/// Aliyun OSS: `?x-oss-process=image/resize,m_fill,w_100,h_100/quality,Q_80/format,webp`.
///
/// `m_lfit` is x, `m_fill` is y, `m_mfit` is z; `limit_0` lifts the ban on enlarging. A relative
/// quality (`q_`) is at most its number, so that is what counts; an absolute one is written, which
/// never raises the source's quality. Actions besides `resize`, `quality` and `format` make a URL
/// opaque, and so do sides above what a ladder holds.
enum OSSDialect: Dialect {
    static var hasPipelines: Bool { true }

    static func read(
        _ item: QueryItem,
        of query: borrowing Span<UInt8>,
        defaultQuality: Int,
        into reading: inout DirectiveReading
    ) -> Bool {
        guard query.holds(process, at: item.name) else { return false }
        var operation = DirectiveReading()
        if let value = item.value {
            read(value, of: item, query, into: &operation)
        } else {
            operation.refuse(.value, item)
        }
        reading.adopt(operation, item, defaultQuality: defaultQuality)
        return true
    }

    static func canWrite(_ directives: Directives) -> Bool {
        directives.axis == .center && !directives.interlace && !directives.keepsAnimation
    }

    static func write(
        _ directives: Directives,
        in order: inout ItemOrder,
        to output: inout OutputSpan<UInt8>
    ) {
        order.begin(process, &output)
        output.append("=image")
        if let mode = directives.mode {
            output.append("/resize,m_")
            output.append(word(for: mode))
            if directives.box.width > 0 {
                output.append(",w_")
                output.append(directives.box.width)
            }
            if directives.box.height > 0 {
                output.append(",h_")
                output.append(directives.box.height)
            }
            if directives.enlarge { output.append(",limit_0") }
        }
        output.append("/quality,Q_")
        output.append(directives.quality)
        if let format = directives.format {
            output.append("/format,")
            output.append(FormatNames.word(for: format))
        }
    }

    private static let process: ASCIIWord = "x-oss-process"
    private static let slash = UInt8(ascii: "/")
    private static let comma = UInt8(ascii: ",")

    private static func word(for mode: Mode) -> ASCIIWord {
        switch mode {
        case .x: "lfit"
        case .y: "fill"
        case .z: "mfit"
        }
    }

    private static func mode(_ word: ASCIIWord) -> Mode? {
        switch word {
        case "lfit": .x
        case "fill": .y
        case "mfit": .z
        default: nil
        }
    }

    /// Reads `image/action,.../action,...`; each action at most once.
    private static func read(
        _ value: Range<Int>,
        of item: QueryItem,
        _ bytes: borrowing Span<UInt8>,
        into reading: inout DirectiveReading
    ) {
        var actions = OperationParts(value, separator: slash)
        guard let first = actions.next(in: bytes), bytes.holds("image", at: first) else {
            return reading.refuse(.operation, item)
        }
        var seen: Set<ASCIIWord> = []
        while let action = actions.next(in: bytes) {
            var parts = OperationParts(action, separator: comma)
            guard let name = parts.next(in: bytes), name.count <= ASCIIWord.capacity else {
                return reading.refuse(.operation, item)
            }
            let word = ASCIIWord(bytes, name)
            guard seen.insert(word).inserted else { return reading.refuse(.conflict, item) }
            switch word {
            case "resize": readResize(&parts, item, bytes, into: &reading)
            case "quality": reading.setQuality(quality(&parts, bytes), item)
            case "format": reading.setFormat(format(&parts, bytes), item)
            default: reading.refuse(.operation, item)
            }
        }
        if seen.isEmpty { reading.refuse(.value, item) }
    }

    private static func readResize(
        _ parts: inout OperationParts,
        _ item: QueryItem,
        _ bytes: borrowing Span<UInt8>,
        into reading: inout DirectiveReading
    ) {
        var mode = Mode.x
        var box = Size.zero
        var enlarge = false
        var seen: Set<ASCIIWord> = []
        while let part = parts.next(in: bytes) {
            var pair = OperationParts(part, separator: URLByte.underscore)
            guard let name = pair.next(in: bytes), let value = pair.next(in: bytes),
                name.count <= ASCIIWord.capacity, value.count <= ASCIIWord.capacity,
                pair.next(in: bytes) == nil
            else { return reading.refuse(.value, item) }
            let word = ASCIIWord(bytes, name)
            guard seen.insert(word).inserted else { return reading.refuse(.conflict, item) }
            switch word {
            case "m":
                guard let given = Self.mode(ASCIIWord(bytes, value)) else {
                    return reading.refuse(.operation, item)
                }
                mode = given
            case "w", "h":
                guard let side = bytes.number(at: value), SizeLadder.range.contains(side) else {
                    return reading.refuse(.value, item)
                }
                if word == "w" { box.width = side } else { box.height = side }
            case "limit":
                guard let limit = bytes.number(at: value), limit <= 1 else {
                    return reading.refuse(.value, item)
                }
                enlarge = limit == 0
            default:
                return reading.refuse(.operation, item)
            }
        }
        if box.width == 0 || box.height == 0 {
            // One side decides the other where nothing is cropped; what a crop makes of it is not
            // documented.
            if box.isZero || mode == .y { return reading.refuse(.value, item) }
            mode = .x
        }
        reading.setSize(.init(mode: mode, width: box.width, height: box.height), item)
        reading.setEnlarge(enlarge, item)
    }

    /// `q_N` or `Q_N`.
    private static func quality(
        _ parts: inout OperationParts,
        _ bytes: borrowing Span<UInt8>
    ) -> Int? {
        guard let part = parts.next(in: bytes), parts.next(in: bytes) == nil, part.count > 2,
            bytes[part.lowerBound] | 0x20 == UInt8(ascii: "q"),
            bytes[part.lowerBound + 1] == URLByte.underscore,
            let quality = bytes.number(at: part.lowerBound + 2..<part.upperBound),
            QualityLadder.range.contains(quality)
        else { return nil }
        return quality
    }

    private static func format(
        _ parts: inout OperationParts,
        _ bytes: borrowing Span<UInt8>
    ) -> OutputFormat? {
        guard let part = parts.next(in: bytes), parts.next(in: bytes) == nil else { return nil }
        return FormatNames.format(bytes, part)
    }
}
