/// NetEase NOS: `?imageView=1&thumbnail=100x100`, and the short form `?param=100y100`.
enum NOSDialect: Dialect {
    static var hasPipelines: Bool { true }

    @inline(__always)
    static func read(
        _ item: QueryItem,
        of query: borrowing Span<UInt8>,
        defaultQuality: Int,
        into reading: inout DirectiveReading
    ) -> Bool {
        guard item.name.count >= 4, item.name.count <= 10 else { return false }
        let name = ASCIIWord(query, item.name)
        switch item.name.count {
        case 4:
            if name == NOSNames.type {
                reading.setFormat(NOSValues.format(query, item.value), item)
                return true
            }
            if name == NOSNames.axis {
                reading.setAxis(NOSValues.axis(query, item.value), item)
                return true
            }
        case 5:
            if name == NOSNames.param {
                reading.setSize(NOSValues.size(query, item.value), item)
                return true
            }
        case 7:
            if name == NOSNames.quality {
                let quality = NOSValues.quality(query, item.value)
                reading.setQuality(quality == 0 ? defaultQuality : quality, item)
                return true
            }
            if name == NOSNames.enlarge {
                reading.setEnlarge(NOSValues.flag(query, item.value), item)
                return true
            }
        case 8:
            if name == NOSNames.tostatic {
                let toStatic = NOSValues.flag(query, item.value)
                reading.setKeepsAnimation(toStatic.map { !$0 }, item)
                return true
            }
        case 9:
            if name == NOSNames.thumbnail {
                reading.setSize(NOSValues.size(query, item.value), item)
                return true
            }
            if name == NOSNames.imageView {
                reading.isPresent = true
                if !NOSValues.isSet(query, item.value) { reading.refuse(.value, item) }
                return true
            }
            if name == NOSNames.interlace {
                reading.setInterlace(NOSValues.flag(query, item.value), item)
                return true
            }
            if name == NOSNames.stripmeta {
                reading.setKeepsMetadata(NOSValues.flag(query, item.value), item)
                return true
            }
        default:
            break
        }
        if NOSNames.isOperation(name) {
            reading.isPresent = true
            reading.refuse(.operation, item)
            return true
        }
        // `axis_5_5` instead of `axis=5_5` is seen in production; the service ignores it.
        if item.value == nil, NOSValues.isBareAxis(query, item.name) {
            reading.isPresent = true
            return true
        }
        return false
    }

    static func canWrite(_ directives: Directives) -> Bool { true }

    @inline(__always)
    static func write(
        _ directives: Directives,
        in order: inout ItemOrder,
        to output: inout OutputSpan<UInt8>
    ) {
        if directives.axis != .center {
            order.begin(NOSNames.axis, &output)
            output.append(URLByte.equals)
            output.append(directives.axis.horizontal)
            output.append(URLByte.underscore)
            output.append(directives.axis.vertical)
        }
        if directives.enlarge { flag(NOSNames.enlarge, true, &order, &output) }
        flag(NOSNames.imageView, true, &order, &output)
        if directives.interlace { flag(NOSNames.interlace, true, &order, &output) }
        order.begin(NOSNames.quality, &output)
        output.append(URLByte.equals)
        output.append(directives.quality)
        if let mode = directives.mode {
            order.begin(NOSNames.thumbnail, &output)
            output.append(URLByte.equals)
            output.append(directives.box.width)
            output.append(NOSValues.letter(of: mode))
            output.append(directives.box.height)
        }
        if directives.keepsAnimation { flag(NOSNames.tostatic, false, &order, &output) }
        if let format = directives.format {
            order.begin(NOSNames.type, &output)
            output.append(URLByte.equals)
            output.append(FormatNames.word(for: format))
        }
    }

    @inline(__always)
    private static func flag(
        _ name: ASCIIWord,
        _ value: Bool,
        _ order: inout ItemOrder,
        _ output: inout OutputSpan<UInt8>
    ) {
        order.begin(name, &output)
        output.append(URLByte.equals)
        output.append(value ? UInt8(ascii: "1") : UInt8(ascii: "0"))
    }
}
